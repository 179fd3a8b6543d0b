package io.portcullis.rules.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal.ThrowNotLeader;
import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TypeFilterTest {
  private static final int PATTERNS = 2_000;
  private static final int NAMES = 300;
  private static final String[] SEGMENTS = {"a", "b", "ab", "ba", "A", "AB", "A$B", "aab"};
  private static final String[] WILD_SEGMENTS = {"*", "**", "a*", "*b", "A*B", "*a*", "**b", "a**"};

  private static final Checkpoint CHECKPOINT =
      Gate.addCheckpoint(
          "filter", ElectionGate.forTrial("filter"), ThrowNotLeader.WITHOUT_STACK_TRACE);

  /** Compares the filter with a plain regular expression, written independently. */
  @Test
  void filterAgreesWithARegularExpressionOnRandomNames() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int hits = 0;

    for (int i = 0; i < PATTERNS; i++) {
      String pattern = name(random, true);
      TypeFilter filter = filter(pattern);
      Pattern plain = plainReading(pattern);
      for (int j = 0; j < NAMES; j++) {
        String name = name(random, false);
        boolean meant = plain.matcher(name).matches();
        hits += meant ? 1 : 0;

        assertThat(filter.mayMean(name.replace('.', '/')))
            .as("seed %d, pattern %s, name %s", seed, pattern, name)
            .isEqualTo(meant);
        assertThat(filter.meaning(name.replace('.', '/'))).hasSize(meant ? 1 : 0);
      }
    }
    assertThat(hits).isGreaterThan(PATTERNS);
  }

  private static Pattern plainReading(String pattern) {
    StringBuilder regex = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      boolean begins = i == 0 || pattern.charAt(i - 1) == '.';
      if (begins && pattern.startsWith("**.", i)) {
        regex.append("(?:[^.]+\\.)*");
        i += 3;
      } else if (pattern.startsWith("**", i)) {
        regex.append(".*");
        i += 2;
      } else if (pattern.charAt(i) == '*') {
        regex.append("[^.]*");
        i++;
      } else {
        regex.append(Pattern.quote(pattern.substring(i, i + 1)));
        i++;
      }
    }
    return Pattern.compile(regex.toString());
  }

  private static String name(Random random, boolean wild) {
    List<String> segments = new ArrayList<>();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      String[] from = wild && random.nextInt(3) == 0 ? WILD_SEGMENTS : SEGMENTS;
      segments.add(from[random.nextInt(from.length)]);
    }
    return String.join(".", segments);
  }

  private static TypeFilter filter(String type) {
    RuleSpec spec = new RuleSpec("r", type + "#save(..)", "e", "throw", Map.of(), false);
    return new TypeFilter(
        List.of(new InstalledRule(Rule.of(spec, false), CHECKPOINT, (rule, state, hint) -> {})));
  }
}
