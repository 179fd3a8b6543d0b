package io.portcullis.backend.quorum;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.election.backend.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configured members in the order of their ids, and which of them this node is.
 *
 * @param addresses by member id, the address at which the others reach that member
 * @param self this node's id
 */
record MemberList(TreeMap<String, MemberAddress> addresses, String self) {
  static final int MIN_MEMBERS = 3;
  static final int MAX_MEMBERS = 100;
  static final int MAX_ID_LENGTH = 32;

  /** Reads the valid entries and reports a problem for each of the others. */
  static MemberList read(Settings quorum) {
    Map<String, String> written = new TreeMap<>(quorum.entries("members"));
    checkCount(quorum, written.size());
    Settings members = quorum.section("members");
    TreeMap<String, MemberAddress> addresses = new TreeMap<>();
    Map<String, String> owners = new HashMap<>();
    written.forEach(
        (id, text) -> {
          checkId(members, id);
          MemberAddress address = address(members, id, text);
          if (address != null) {
            addresses.put(id, address);
            checkOwner(members, id, address, owners);
          }
        });
    String self = quorum.text("self");
    if (!self.isEmpty() && !written.containsKey(self)) {
      quorum.refuse(
          "self",
          "is '"
              + self
              + "', which is none of the members"
              + (written.isEmpty() ? "" : " " + String.join(", ", written.keySet()))
              + "; set it to this node's own id.");
    }
    return new MemberList(addresses, self);
  }

  private static void checkCount(Settings quorum, int count) {
    if (count < MIN_MEMBERS) {
      quorum.refuse(
          "members",
          (count == 0 ? "names no members" : "names only " + count)
              + "; there must be at least "
              + MIN_MEMBERS
              + ", so that a majority is left when one fails: two service nodes and one witness,"
              + " for example.");
    }
    if (count > MAX_MEMBERS) {
      quorum.refuse(
          "members",
          "names "
              + count
              + "; there must be at most "
              + MAX_MEMBERS
              + ", and more than five are rarely useful.");
    }
  }

  private static void checkId(Settings members, String id) {
    if (id.length() > MAX_ID_LENGTH) {
      members.refuse(
          id, "has " + id.length() + " characters; an id must have at most " + MAX_ID_LENGTH + ".");
    }
  }

  private static @Nullable MemberAddress address(Settings members, String id, String text) {
    try {
      MemberAddress address = MemberAddress.parse(text);
      if (address.isWildcard()) {
        members.refuse(
            id,
            "'"
                + text
                + "' is not an address at which others can reach a member; set such an address"
                + " here, and put this one into listen.");
        return null;
      }
      return address;
    } catch (IllegalArgumentException e) {
      members.refuse(id, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static void checkOwner(
      Settings members, String id, MemberAddress address, Map<String, String> owners) {
    String other = owners.putIfAbsent(address.canonical(), id);
    if (other != null) {
      members.refuse(
          id,
          "has the address "
              + address
              + ", and so has "
              + other
              + "; one process can't be two members, give each its own.");
    }
  }

  List<MemberEndpoint> members() {
    List<MemberEndpoint> members = new ArrayList<>();
    addresses.forEach(
        (id, address) -> members.add(new MemberEndpoint(id, address.host(), address.port())));
    return members;
  }

  int selfIndex() {
    return addresses.headMap(self).size();
  }
}
