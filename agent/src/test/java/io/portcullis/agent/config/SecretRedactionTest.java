package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.hocon.InvalidConfigException;
import io.portcullis.agent.config.secret.SecretRedaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No secret is shown, neither as effective nor in a problem. */
class SecretRedactionTest {
  private static final String SECRET = "hunter2-Geheim";

  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.uri | redis://user:pw@host:1/2 | redis://***@host:1/2",
        "a.uri | redis://:p@w/x@host | redis://***@host",
        "a.uri | redis://host:6379 | redis://host:6379",
        "a.uri | user:pw@host | ***@host",
        "a.url | jdbc:postgresql://h/db?user=u&password=pw&ssl=true |"
            + " jdbc:postgresql://h/db?user=u&password=***&ssl=true",
        "a.url | jdbc:oracle:thin:scott/tiger@h:1521 | jdbc:oracle:***@h:1521",
        "a.password | pw | ***",
        "a.tls.key-password | pw | ***",
        "a.secret.inner | pw | ***",
        "a.api-token | pw | ***",
        "a.password-file | /run/pw | /run/pw",
        "a.api-key | pw | ***",
        "a.apiKey | pw | ***",
        "a.access_key | pw | ***",
        "a.private-key | pw | ***",
        "a.private-key-file | /run/key | /run/key",
        "a.credentials | pw | ***",
        "a.basic-auth | pw | ***",
        "a.auth | pw | ***",
        "a.passphrase | pw | ***",
        "a.author | me | me",
        "a.pass | pw | ***",
        "a.passcode | pw | ***",
        "a.subscription-key | pw | ***",
        "a.bypass | yes | yes",
        "a.url | jdbc:x://h/d?sig=pw&ssl=true | jdbc:x://h/d?sig=***&ssl=true",
        "a.key | portcullis:orders:writer | portcullis:orders:writer",
        "a.lock-key | 4711 | 4711",
        "a.tls.key | /run/tls.key | /run/tls.key",
        "a.http | http://h/health?k=pw&n=1 | http://h/health?***",
        "a.http | https://h/health | https://h/health",
        "a.eligible-when.http | http//h/health?k=pw | http//h/health?***",
        "a.eligible-when.http | ftp://h/health?k=pw | ftp://h/health?***",
        "a.eligible-when.http | h:80/health?k=pw | h:80/health?***",
        "a.eligible-when.http | http://h/health#pw | http://h/health#***",
        "a.node.advertise | pw@h:80 | ***@h:80",
        "a.node.advertise | h:80/p?pw | h:80/p?***",
        "a.url | jdbc:x://h/d?api_key=pw&ssl=true | jdbc:x://h/d?api_key=***&ssl=true",
        "r.match | @com.acme.Gated **#*(..) | @com.acme.Gated **#*(..)",
      })
  void secretsInsideValuesAreRedacted(String key, String value, String shown) {
    assertThat(SecretRedaction.shown(key, value)).isEqualTo(shown);
  }

  @Test
  void effectiveValuesContainNoSecret() {
    AgentConfig config =
        trial
            .election(
                "trial.uri = \"trial://me:"
                    + SECRET
                    + "1@h?password="
                    + SECRET
                    + "2\"\n"
                    + "trial.password-file = pw\n"
                    + "postgres { url = \"jdbc:x://h/d?password="
                    + SECRET
                    + "\","
                    + " password = "
                    + SECRET
                    + ", list = [\"a://u:"
                    + SECRET
                    + "@h\"] }")
            .file("pw", SECRET + "3")
            .variable("PORTCULLIS__elections__writer__redis__password", SECRET + "4")
            .load();

    assertThat(config.files().effective().toString()).doesNotContain(SECRET).contains("***");
    assertThat(config.toString()).doesNotContain(SECRET);
  }

  @Test
  void warningsOfPlansContainNoSecret() {
    AgentConfig config =
        trial
            .election("trial.uri = \"trial://me:" + SECRET + "@h\"\ntrial.members { a = b }")
            .load();

    assertThat(config.files().warnings())
        .anyMatch(text -> text.endsWith("one member alone at trial://***@h"))
        .noneMatch(text -> text.contains(SECRET));
  }

  @Test
  void noProblemShowsASecret() {
    trial.election(
        "trial.uri = \"http//me:"
            + SECRET
            + "@h\"\ntrial.password = "
            + SECRET
            + "\n"
            + "trial.replicas = \"x://u:"
            + SECRET
            + "@h\"\ntrial.tokn-secret = "
            + SECRET);
    trial.property("portcullis.elections.writer.trial.secret-key", SECRET);
    trial.property("portcullis.mode", "password=" + SECRET);

    assertThat(trial.problems()).hasSizeGreaterThan(4);
    assertThat(trial.message()).doesNotContain(SECRET);
  }

  @Test
  void valueOfAMisspeltKeyIsNotShown() {
    trial.variable("PORTCULLIS__elections__writer__trial__pasword", SECRET);

    assertThat(trial.problems()).isNotEmpty().noneMatch(problem -> problem.contains(SECRET));
  }

  @Test
  void secretQuotedByARuleProblemIsRedacted() {
    trial
        .with("elections.writer.trial.password-file = pw")
        .file("pw", SECRET)
        .ruleCheck(
            (rule, extensions, problems) ->
                problems.refuse(rule.spot("match"), "saw " + SECRET + "!"));

    assertThat(trial.problems()).singleElement().asString().endsWith("saw ***!");
  }

  @Test
  void syntaxErrorQuotesNoSecret() {
    List<String> broken =
        List.of(
            "uri = redis://me:" + SECRET + "@h }",
            "password = a " + SECRET + " : b",
            "password : " + SECRET + " = " + SECRET,
            "password " + SECRET,
            "password = \"" + SECRET,
            "password = [ " + SECRET + " } " + SECRET,
            "url = jdbc:x:h?password=" + SECRET);

    for (String line : broken) {
      trial.file("portcullis {\n" + line + "\n}");

      assertThat(trial.message()).as(line).doesNotContain(SECRET);
    }
  }

  @Test
  void secretInFileOrPropertyIsRefusedWithRemedy() {
    assertThat(trial.election("trial.password = " + SECRET).problems())
        .containsExactly(
            "agent.conf:6: portcullis.elections.writer.trial.password = ***: a secret must not"
                + " be set in a file or a system property; name a file that contains it with"
                + " password-file, or set it in the environment");
    trial.election("").property("portcullis.elections.writer.trial.password", SECRET);
    assertThat(trial.problems())
        .singleElement()
        .asString()
        .startsWith("system property portcullis.elections.writer.trial.password: ");
  }

  @Test
  void secretSetTwiceInOneLayerIsRefused() {
    trial.election("");
    trial.variable("PORTCULLIS__elections__writer__trial__password", SECRET);
    trial.variable("PORTCULLIS__elections__writer__trial__password_file", "pw");

    assertThat(trial.problems()).singleElement().asString().contains("leave one of them out");
  }

  @Test
  void secretFileMustBeReadableNonEmptyAndSmall() throws IOException {
    trial.election("trial.password-file = pw");

    assertThat(trial.problems()).singleElement().asString().contains("/pw does not exist");
    Files.createDirectory(folder.resolve("pw"));
    assertThat(trial.problems()).singleElement().asString().contains("/pw is a folder");
    Files.delete(folder.resolve("pw"));
    trial.file("pw", "\n");
    assertThat(trial.problems()).singleElement().asString().contains("/pw is empty");
    trial.file("pw", "x".repeat(64 * 1024 + 1));
    assertThat(trial.problems()).singleElement().asString().contains("/pw is longer than 64 KiB");
    trial.file("pw", "x".repeat(64 * 1024));
    assertThat(trial.load().service()).isEqualTo("orders");
  }

  @Test
  void anySecretInAnyPlaceIsRedacted() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 150; round++) {
      String secret = "S3" + letters(random) + "cr3t";
      trial.election(String.join("\n", lines(random, secret)));
      if (random.nextBoolean()) {
        trial.variable("PORTCULLIS__elections__writer__trial__password", secret);
      }

      String shown;
      try {
        shown = trial.load().files().effective().toString();
      } catch (InvalidConfigException e) {
        shown = e.getMessage() + e.problems();
      }

      assertThat(shown).as("seed %d round %d", seed, round).doesNotContain(secret);
    }
  }

  private static List<String> lines(Random random, String secret) {
    String[] wrappings = {
      "%s://user:" + secret + "@host",
      "%s://:" + secret + "@host:99999999/x",
      "%s//user:" + secret + "@host",
      "user:" + secret + "@host",
      "%s://host/db?user=a&password=" + secret,
      "%s://host/db?Password = " + secret + ";x=y",
      "jdbc:%s:thin:a/" + secret + "@host",
    };
    String[] keys = {
      "trial.uri", "trial.key", "trial.replicas", "trial.urn", "redis.uri", "settle"
    };
    String[] secretKeys = {"trial.password", "trial.token", "redis.password", "quorum.secret.a"};
    List<String> lines = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String wrapped = wrappings[random.nextInt(wrappings.length)].formatted(letters(random));
      lines.add(keys[random.nextInt(keys.length)] + " = \"" + wrapped + "\"");
      lines.add(secretKeys[random.nextInt(secretKeys.length)] + " = \"" + secret + "\"");
    }
    return lines;
  }

  private static String letters(Random random) {
    return random
        .ints(1 + random.nextInt(12), 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
