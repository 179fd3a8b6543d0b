package io.portcullis.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;

/** All classes of the project, and the two most frequent rules about them. */
final class ProductClasses {
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.portcullis", "com.acme");

  private ProductClasses() {}

  /** No class in {@code from} depends on one in {@code to}. */
  static void noneIn(String from, String... to) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(to)
        .check(CLASSES);
  }

  /** Classes in {@code from} depend only on those in {@code known} and the JDK. */
  static void onlyIn(String from, String... known) {
    classes()
        .that()
        .resideInAPackage(from)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(withJdk(known))
        .check(CLASSES);
  }

  private static String[] withJdk(String... known) {
    String[] all = Arrays.copyOf(known, known.length + 3);
    all[known.length] = "java..";
    all[known.length + 1] = "javax..";
    all[known.length + 2] = "org.jspecify..";
    return all;
  }
}
