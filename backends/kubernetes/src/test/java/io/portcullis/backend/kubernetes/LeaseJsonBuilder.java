package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** A Lease as a node, another program or a person may have written it. */
final class LeaseJsonBuilder {
  static final String UID = "uid-1";
  static final String RENEWED = "2026-03-04T05:06:07.123456Z";
  static final String ACQUIRED = "2026-03-04T05:00:00.000001Z";

  private final ObjectNode json = JsonNodeFactory.instance.objectNode();

  private LeaseJsonBuilder() {
    json.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    json.withObject("/metadata").put("name", "orders-writer").put("uid", UID);
    version("7");
  }

  /** An object without any fields. */
  static LeaseJsonBuilder blank() {
    return new LeaseJsonBuilder();
  }

  /** What client-go writes while it leads. */
  static LeaseJsonBuilder heldByGo() {
    return blank()
        .spec("holderIdentity", "go")
        .spec("leaseDurationSeconds", 15)
        .spec("acquireTime", ACQUIRED)
        .spec("renewTime", RENEWED)
        .spec("leaseTransitions", 3);
  }

  /** What node a writes while it leads under epoch 41. */
  static LeaseJsonBuilder heldByA() {
    return heldByGo()
        .spec("holderIdentity", "a")
        .note(LeaseDocument.ELECTION, "orders/writer")
        .note(LeaseDocument.EPOCH, "41")
        .note(LeaseDocument.HOLDER, "a")
        .note(LeaseDocument.TENURE, "3")
        .note(LeaseDocument.ADDRESS, "http://a:8080");
  }

  /** The initial record, before the first leader. */
  static LeaseJsonBuilder ground() {
    return blank()
        .spec("leaseTransitions", 0)
        .note(LeaseDocument.ELECTION, "orders/writer")
        .note(LeaseDocument.EPOCH, "1700000000")
        .note(LeaseDocument.TENURE, "0")
        .note(LeaseDocument.GROUND, "2500 mark");
  }

  /** Sets a field; null removes it. */
  LeaseJsonBuilder spec(String field, @Nullable Object value) {
    if (value == null) {
      json.withObject("/spec").remove(field);
    } else {
      json.withObject("/spec").set(field, LeaseApi.JSON.valueToTree(value));
    }
    return this;
  }

  /** Sets an annotation. */
  LeaseJsonBuilder note(String name, Object value) {
    ObjectNode metadata = json.withObject("/metadata");
    if (!metadata.has("annotations")) {
      metadata.putObject("annotations");
    }
    ((ObjectNode) metadata.get("annotations")).set(name, LeaseApi.JSON.valueToTree(value));
    return this;
  }

  LeaseJsonBuilder version(String resourceVersion) {
    json.withObject("/metadata").put("resourceVersion", resourceVersion);
    return this;
  }

  LeaseJsonBuilder uid(String uid) {
    json.withObject("/metadata").put("uid", uid);
    return this;
  }

  LeaseJsonBuilder renewed(String time) {
    return spec("renewTime", time);
  }

  LeaseDocument document() {
    return new LeaseDocument(json.deepCopy());
  }
}
