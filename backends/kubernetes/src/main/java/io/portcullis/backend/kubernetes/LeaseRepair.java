package io.portcullis.backend.kubernetes;

import io.portcullis.election.store.EpochRangeException;
import org.jspecify.annotations.Nullable;

/**
 * Sentences about a Lease whose epoch can't be right: what is wrong, and what to run.
 *
 * @param namespace the Lease's
 * @param name the Lease's
 */
record LeaseRepair(String namespace, String name) {

  /**
   * Why the election can't go on with this version of the Lease; null if it can.
   *
   * @param unixSecond the present time
   */
  @Nullable String faultIn(LeaseDocument lease, long unixSecond) {
    try {
      lease.checkEpoch(unixSecond);
    } catch (EpochRangeException e) {
      return sentence(e);
    }
    String transitions = lease.wrongTransitions();
    return transitions == null
        ? null
        : EpochRangeException.implausible(transitions)
            .sentence(
                "spec.leaseTransitions of Lease " + namespace + "/" + name,
                "kubectl -n "
                    + namespace
                    + " patch lease "
                    + name
                    + " --type=merge -p '{\"spec\":{\"leaseTransitions\":0}}'");
  }

  String sentence(EpochRangeException wrong) {
    return wrong.sentence(
        "annotation " + LeaseDocument.EPOCH + " of Lease " + namespace + "/" + name,
        "kubectl -n "
            + namespace
            + " annotate lease "
            + name
            + " --overwrite "
            + LeaseDocument.EPOCH
            + "=$(date +%s)");
  }
}
