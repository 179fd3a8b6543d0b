package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.hocon.ConfigSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the files of deploy/kubernetes are consistent and grant the documented rights. */
class KubernetesFilesTest {
  private static final Path PAGE = Path.of("..", "docs", "kubernetes.md");
  private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final String ROLE_LABEL = "portcullis.io/role";
  private static final String APP_LABEL = "app.kubernetes.io/name";

  private final Yaml deployment = Deployed.one("Deployment", "ledger");
  private final Yaml pod = deployment.at("spec", "template", "spec");

  @Test
  void everyFileIsDeployedAndIsAResource() throws IOException {
    List<String> expected = new ArrayList<>(Deployed.kustomization().texts("resources"));
    expected.add("kustomization.yaml");

    assertThat(Deployed.files().stream().filter(name -> name.endsWith(".yaml")))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(Deployed.resources())
        .hasSizeGreaterThan(5)
        .allSatisfy(
            each -> {
              assertThat(each.text("apiVersion")).isNotEmpty();
              assertThat(each.at("metadata").keys()).containsExactly("name");
            });
  }

  @Test
  void noLeaseIsDeployed() {
    assertThat(Deployed.resources()).noneMatch(each -> each.text("kind").equals("Lease"));
  }

  @Test
  void roleGrantsOnlyTheRequiredRights() {
    List<String> rights = rights(Deployed.one("Role", "ledger").items("rules"));

    assertThat(rights)
        .containsExactlyInAnyOrder(
            "coordination.k8s.io leases create of any name",
            "coordination.k8s.io leases get by name",
            "coordination.k8s.io leases update by name",
            "coordination.k8s.io leases watch by name",
            " pods patch of any name");
  }

  @Test
  void pageListsTheRightsOfTheRole() throws IOException {
    Yaml onPage = onPage("Role");

    assertThat(rights(onPage.items("rules")))
        .containsExactlyElementsOf(rights(Deployed.one("Role", "ledger").items("rules")));
  }

  @Test
  void pageShowsTheDeployedService() throws IOException {
    Yaml onPage = onPage("Service").at("spec", "selector");

    assertThat(onPage.keys())
        .isEqualTo(Deployed.one("Service", "ledger").at("spec", "selector").keys());
    assertThat(onPage.text(ROLE_LABEL)).isEqualTo("leader");
  }

  @Test
  void rightsNameTheLeaseOfTheElection() {
    Deployed deployed = new Deployed();
    ConfigSection kubernetes = deployed.election().section("kubernetes");
    String lease =
        kubernetes.get("lease") == null
            ? deployed.service() + "-" + Deployed.ELECTION
            : Deployed.text(kubernetes, "lease");

    assertThat(
            Deployed.one("Role", "ledger").items("rules").stream()
                .filter(rule -> rule.has("resourceNames"))
                .flatMap(rule -> rule.texts("resourceNames").stream()))
        .containsOnly(lease);
  }

  @Test
  void podsAreBoundToTheRole() {
    Yaml binding = Deployed.one("RoleBinding", "ledger");
    Yaml subject = binding.items("subjects").get(0);
    String account = pod.text("serviceAccountName");

    assertThat(binding.items("subjects")).hasSize(1);
    assertThat(binding.text("roleRef", "kind")).isEqualTo("Role");
    assertThat(binding.text("roleRef", "name")).isEqualTo("ledger");
    assertThat(subject.text("kind")).isEqualTo("ServiceAccount");
    assertThat(subject.text("name")).isEqualTo(account);
    assertThat(Deployed.one("ServiceAccount", account).has("automountServiceAccountToken"))
        .isFalse();
    assertThat(pod.has("automountServiceAccountToken")).isFalse();
  }

  @Test
  void immutableFieldsDoNotDependOnTheRole() {
    Yaml labels = deployment.at("spec", "template", "metadata", "labels");
    Yaml selector = deployment.at("spec", "selector", "matchLabels");
    Yaml budget =
        Deployed.one("PodDisruptionBudget", "ledger").at("spec", "selector", "matchLabels");

    assertThat(labels.keys()).containsExactly(APP_LABEL);
    assertThat(selector.value()).isEqualTo(labels.value());
    assertThat(budget.value()).isEqualTo(labels.value());
    for (String service : List.of("ledger", "ledger-nodes")) {
      assertThat(Deployed.one("Service", service).text("spec", "selector", APP_LABEL))
          .isEqualTo(labels.text(APP_LABEL));
    }
  }

  @Test
  void servicePortsExistInThePod() {
    List<String> ports =
        pod.named("ledger", "containers").items("ports").stream()
            .map(port -> port.text("name"))
            .toList();

    for (String service : List.of("ledger", "ledger-nodes")) {
      assertThat(Deployed.one("Service", service).items("spec", "ports"))
          .allSatisfy(port -> assertThat(ports).contains(port.text("targetPort")));
    }
  }

  @Test
  void disruptionBudgetAllowsADrain() {
    assertThat(deployment.number("spec", "replicas")).isGreaterThan(1);
    assertThat(Deployed.one("PodDisruptionBudget", "ledger").number("spec", "maxUnavailable"))
        .isEqualTo(1);
  }

  @Test
  void noContainerIsRootOrWritesIntoItsImage() {
    assertThat(pod.text("securityContext", "runAsNonRoot")).isEqualTo("true");
    assertThat(containers())
        .allSatisfy(
            container -> {
              Yaml context = container.at("securityContext");
              assertThat(context.text("readOnlyRootFilesystem")).isEqualTo("true");
              assertThat(context.text("allowPrivilegeEscalation")).isEqualTo("false");
              assertThat(context.texts("capabilities", "drop")).containsExactly("ALL");
            });
    assertThat(pod.named("ledger", "containers").named("tmp", "volumeMounts").text("mountPath"))
        .isEqualTo("/tmp");
  }

  @Test
  void everyMountedVolumeIsDefined() {
    for (Yaml container : containers()) {
      for (Yaml mount : container.items("volumeMounts")) {
        assertThat(pod.named(mount.text("name"), "volumes").keys()).hasSize(2);
      }
    }
  }

  @Test
  void imagesArePlaceholders() {
    List<String> replaced =
        Deployed.kustomization().items("images").stream().map(each -> each.text("name")).toList();
    assertThat(containers().stream().map(each -> each.text("image")))
        .containsExactlyInAnyOrderElementsOf(replaced);
  }

  @Test
  void readmeNamesEveryFile() throws IOException {
    String readme = Files.readString(Deployed.FOLDER.resolve("README.md"));

    assertThat(Deployed.files().stream().filter(name -> !name.equals("README.md")))
        .allSatisfy(name -> assertThat(readme).contains("`" + name + "`"));
  }

  private List<Yaml> containers() {
    List<Yaml> containers = new ArrayList<>(pod.items("containers"));
    containers.addAll(pod.items("initContainers"));
    return containers;
  }

  private static Yaml onPage(String kind) throws IOException {
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    while (block.find()) {
      Yaml yaml = Yaml.parse("kubernetes.md", block.group(1)).get(0);
      if (yaml.text("kind").equals(kind)) {
        return yaml;
      }
    }
    throw new AssertionError("the page shows no " + kind);
  }

  private static List<String> rights(List<Yaml> rules) {
    List<String> rights = new ArrayList<>();
    for (Yaml rule : rules) {
      for (String group : rule.texts("apiGroups")) {
        for (String resource : rule.texts("resources")) {
          for (String verb : rule.texts("verbs")) {
            String names = rule.has("resourceNames") ? "by name" : "of any name";
            rights.add(String.join(" ", group, resource, verb, names));
          }
        }
      }
    }
    return rights;
  }
}
