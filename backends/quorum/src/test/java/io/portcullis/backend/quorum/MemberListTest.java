package io.portcullis.backend.quorum;

import static io.portcullis.backend.quorum.QuorumPlanFixture.plan;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problem;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problems;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the settings that list the members. */
class MemberListTest {
  @Test
  void fewerThanThreeMembersAreRejected() {
    assertThat(problem(Map.of("quorum.members.c", "")))
        .startsWith("quorum.members names only 2; there must be at least 3")
        .contains("two service nodes and one witness");
    assertThat(
            problems(
                Map.of("quorum.members.a", "", "quorum.members.b", "", "quorum.members.c", "")))
        .anyMatch(text -> text.startsWith("quorum.members names no members; there must be"))
        .hasSize(2);
  }

  @Test
  void moreThanOneHundredMembersAreRejected() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 97; i++) {
      many.put("quorum.members.x" + i, "10.0.1." + i + ":7400");
    }
    assertThat(plan(many).members()).hasSize(100);

    many.put("quorum.members.one-more", "10.0.2.1:7400");
    assertThat(problem(many)).startsWith("quorum.members names 101; there must be at most");
  }

  @Test
  void evenNumberOfMembersCausesAWarning() {
    assertThat(plan(Map.of("quorum.members.d", "10.0.0.10:7400")).warnings())
        .singleElement()
        .asString()
        .contains("names 4 members: they tolerate no more failures than 3 members do");
  }

  @Test
  void selfMustBeOneOfTheMembers() {
    assertThat(problem(Map.of("quorum.self", "x")))
        .startsWith("quorum.self is 'x', which is none of the members a, b, c; set it to");
    assertThat(problem(Map.of("quorum.self", ""))).isEqualTo("quorum.self is missing; set it");
  }

  @ParameterizedTest
  @CsvSource({
    "quorum.members.a, 10.0.0.7, write host:port",
    "quorum.members.a, 10.0.0.7:0, it must be from 1 to 65535",
    "quorum.members.a, 10.0.0.700:7400, neither a name nor an address",
    "quorum.members.a, 0.0.0.0:7400, not an address at which others can reach a member",
    "quorum.members.a, [::]:7400, put this one into listen",
    "quorum.listen, 7400, write host:port",
    "quorum.listen, 0.0.0.0:0, it must be from 1 to 65535"
  })
  void invalidAddressIsRejected(String key, String address, String problem) {
    assertThat(problem(Map.of(key, address))).startsWith(key + " ").contains(problem);
  }

  @Test
  void addressOfAnotherMemberIsRejected() {
    assertThat(problem(Map.of("quorum.members.c", "10.0.0.7:7400")))
        .contains("has the address 10.0.0.7:7400, and so has ")
        .contains("one process can't be two members");
    assertThat(
            problem(Map.of("quorum.members.a", "[fd00:0::7]:1", "quorum.members.c", "[fd00::7]:1")))
        .contains("and so has");
  }

  @Test
  void idOver32CharactersIsRejected() {
    String id = "i".repeat(32);
    assertThat(plan(Map.of("quorum.members." + id, "10.0.0.1:1")).members()).hasSize(4);

    assertThat(problem(Map.of("quorum.members.x" + id, "10.0.0.1:1")))
        .contains("has 33 characters; an id must have at most 32");
  }
}
