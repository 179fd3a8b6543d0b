package io.portcullis.rules.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.portcullis.rules.match.ClassHeaderReader.ClassHeader;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchPatternTest {
  private static final TypeLookup NOTHING =
      new TypeLookup() {
        @Override
        public @Nullable ClassHeader head(String name) {
          return null;
        }

        @Override
        public @Nullable ClassShape shape(String name) {
          return null;
        }
      };

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          com.acme.Ledger        | com.acme.Ledger                | true
          com.acme.Ledger        | com.acme.LedgerX               | false
          com.acme.Ledger        | com.acme.Ledger$Entry          | false
          com.acme.Ledger$Entry  | com.acme.Ledger$Entry          | true
          Ledger                 | Ledger                         | true
          Ledger                 | com.acme.Ledger                | false
          com.acme.*             | com.acme.Ledger                | true
          com.acme.*             | com.acme.Ledger$Entry          | true
          com.acme.*             | com.acme.sub.Ledger            | false
          com.acme.*             | com.acme                       | false
          com.acme.*Store        | com.acme.OrderStore            | true
          com.acme.*Store        | com.acme.Store                 | true
          com.acme.*Store        | com.acme.OrderStores           | false
          com.*.Ledger           | com.acme.Ledger                | true
          com.*.Ledger           | com.Ledger                     | false
          com.*.Ledger           | com.acme.sub.Ledger            | false
          com.acme.**            | com.acme.Ledger                | true
          com.acme.**            | com.acme.sub.deep.Ledger       | true
          com.acme.**            | com.acmes.Ledger               | false
          **.Ledger              | com.acme.Ledger                | true
          **.Ledger              | Ledger                         | true
          **.Ledger              | com.acme.OldLedger             | false
          com.**.Ledger          | com.Ledger                     | true
          com.**.Ledger          | com.acme.sub.Ledger            | true
          com.**.Ledger          | commons.Ledger                 | false
          **Ledger               | com.acme.OldLedger             | true
          **                     | anything.at.All                | true
          *                      | Ledger                         | true
          *                      | com.acme.Ledger                | false
          com.**.impl.*Dao       | com.acme.orders.impl.OrderDao  | true
          com.acme.Store-Kt      | com.acme.Store-Kt              | true
          com.acme.Läden$$anon$1 | com.acme.Läden$$anon$1         | true
          com.**.impl.*Dao       | com.impl.OrderDao              | true
          com.**.impl.*Dao       | com.acme.impl.sub.OrderDao     | false
          """)
  void typesMeantByAPattern(String type, String name, boolean meant) {
    TypePattern pattern = MatchPattern.parse(type + "#save(..)").type();

    assertThat(pattern.matches(name)).isEqualTo(meant);
    assertThat(pattern.matchesInternal(name.replace('.', '/'))).isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          save(..)                        | save()V                        | true
          save(..)                        | save(I[JLjava/lang/String;)V   | true
          save(..)                        | saveAll()V                     | false
          save()                          | save()V                        | true
          save()                          | save(I)V                       | false
          save(int)                       | save(I)V                       | true
          save(int)                       | save(J)V                       | false
          save( int , long )              | save(IJ)V                      | true
          save(byte[])                    | save([B)V                      | true
          save(byte[][])                  | save([[B)V                     | true
          save(java.lang.String...)       | save([Ljava/lang/String;)V     | true
          save(java.lang.String[])        | save([Ljava/lang/String;)V     | true
          save(java.lang.String)          | save([Ljava/lang/String;)V     | false
          save(com.acme.Ledger$Entry)     | save(Lcom/acme/Ledger$Entry;)V | true
          save(*)                         | save([I)V                      | true
          save(*)                         | save()V                        | false
          save(*,long)                    | save(IJ)V                      | true
          save(int,..)                    | save(I)V                       | true
          save(int,..)                    | save(IJD)V                     | true
          save(int,..)                    | save(J)V                       | false
          save*(..)                       | saveAll()V                     | true
          *ave(..)                        | save()V                        | true
          *(..)                           | <init>()V                      | false
          *(..)                           | <clinit>()V                    | false
          *(..)                           | lambda$save$0()V               | false
          *(..)                           | toString()Ljava/lang/String;   | false
          to*()                           | toString()Ljava/lang/String;   | false
          *(..)                           | toString(I)Ljava/lang/String;  | true
          *(..)                           | equals(Ljava/lang/Object;)Z    | false
          *(..)                           | equals(Lcom/acme/Ledger;)Z     | true
          *(..)                           | wait(JI)V                      | false
          toString()                      | toString()Ljava/lang/String;   | true
          save-impl(..)                   | save-impl(I)V                  | true
          $plus$eq(..)                    | $plus$eq(I)V                   | true
          new(int)                        | <init>(I)V                     | true
          new()                           | <init>(I)V                     | false
          new(..)                         | new()V                         | false
          lambda$save$0()                 | lambda$save$0()V               | true
          """)
  void methodsMeantByAPattern(String pattern, String method, boolean meant) {
    int parameters = method.indexOf('(');

    List<MethodShape> selected =
        select(pattern, shape(0, method.substring(0, parameters), method.substring(parameters)));

    assertThat(selected).hasSize(meant ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                                | 1  | the pattern is empty
          com.acme.Ledger                   | 1  | there is no '#' between type and method
          com.acme.Ledger.save(..)          | 1  | there is no '#' between type and method
          com.acme.Ledger#save              | 21 | the parameters are missing. Write (..)
          com.acme.Ledger#save(..           | 24 | does not end with ')'
          com.acme.Ledger#save(..) throws X | 34 | does not end with ')'
          com.acme.Ledger#a#b(..)           | 18 | there is a second '#'
          "#save(..)"                       | 1  | the type is missing
          com.acme.Ledger#(..)              | 17 | the method's name is missing
          com/acme/Ledger#save(..)          | 4  | Write binary names with dots
          com..Ledger#save(..)              | 4  | a part of the name is empty
          com.***#save(..)                  | 5  | Write * or **
          com.acme.Ledger#**(..)            | 17 | Write * instead
          com.acme#Ledger.save(..)          | 16 | Put the '#' before the method's name
          com.acme.Ledger#<clinit>()        | 17 | static initialisers can't be gated
          void com.acme.Ledger#save(..)     | 5  | ' ' has no place here
          com.acme.Ledger#save(String)      | 22 | Write java.lang.String
          com.acme.Ledger#save(String...)   | 22 | Write java.lang.String[]
          com.acme.Ledger#save(int,List)    | 26 | Write java.util.List
          com.acme.L#a(java.util.List<X>)   | 28 | Write java.util.List
          com.acme.Ledger#save(..,int)      | 25 | '..' is not the last parameter
          com.acme.Ledger#save(int,)        | 26 | a parameter's type is missing
          com.acme.Ledger#save(java.util.*) | 22 | Write a whole name, or * alone
          com.acme.Ledger#save(void)        | 22 | Write () for none
          com.acme.Ledger#save(int x)       | 25 | ' ' has no place here
          com.acme.Ledger#<init>(..)        | 17 | Write new for constructors
          com.acme.Ledger++#save(..)        | 16 | '+' has no place here
          +#save(..)                        | 1  | the type is missing
          @com.acme.Job#run()               | 14 | the type is missing
          @com.acme.* **#*(..)              | 11 | an annotation's name has no wildcards
          @com.acme.Job(a=1) **#*(..)       | 14 | Write @com.acme.Job
          @ **#*(..)                        | 2  | a name is missing
          @com.acme.Job                     | 14 | there is no '#'
          *a*b*c*d*e*f*g*h*i#save(..)       | 1  | more than 8 wildcards
          """)
  void patternsThatCannotBeRightAreRefusedWithPlaceAndRemedy(
      String pattern, int character, String message) {
    assertThatExceptionOfType(InvalidPatternException.class)
        .isThrownBy(() -> MatchPattern.parse(pattern))
        .withMessageContaining("character " + character + ":")
        .withMessageContaining(message);
  }

  @Test
  void wildcardMatchesNoSyntheticMethodButANameDoes() {
    MethodShape synthetic = shape(0x1000, "access$000", "()V");

    assertThat(select("*(..)", synthetic)).isEmpty();
    assertThat(select("access$000()", synthetic)).containsExactly(synthetic);
  }

  @Test
  void bridgeIsOmittedIfItsTargetMatchesToo() {
    MethodShape real = shape(1, "save", "(Lcom/acme/Order;)V");
    MethodShape bridge =
        shape(0x1041, "save", "(Ljava/lang/Object;)V").leadingTo("(Lcom/acme/Order;)V");

    assertThat(select("save(..)", bridge, real)).containsExactly(real);
    assertThat(select("s*(..)", bridge, real)).containsExactly(real);
    assertThat(select("save(java.lang.Object)", bridge, real)).containsExactly(bridge);
  }

  @Test
  void bridgeWithUnknownTargetMatchesBesideItsLookalike() {
    MethodShape bridge = shape(0x1041, "save", "(Ljava/lang/Object;)V");
    MethodShape other = shape(1, "save", "(Lcom/acme/Order;)V");

    assertThat(select("save(..)", bridge, other)).containsExactly(bridge, other);
  }

  @Test
  void bridgeToAMethodWithoutABodyMatches() {
    MethodShape bridge =
        shape(0x1041, "save", "(Ljava/lang/Object;)V").leadingTo("(Lcom/acme/Order;)V");
    MethodShape abstractMethod = shape(0x0401, "save", "(Lcom/acme/Order;)V");

    assertThat(select("save(..)", bridge, abstractMethod)).containsExactly(bridge, abstractMethod);
  }

  @Test
  void bridgeToAnInheritedMethodMatchesByName() {
    MethodShape bridge = shape(0x1041, "save", "()V");

    assertThat(select("save(..)", bridge)).containsExactly(bridge);
  }

  @Test
  void hintNamesOverloadsSimilarNamesAndParents() {
    ClassShape ledger =
        new ClassShape(
            1,
            "com.acme.Ledger",
            "com.acme.Base",
            List.of("com.acme.Store"),
            List.of(shape(1, "save", "(Ljava/lang/String;)V"), shape(1, "Store", "()V")));

    assertThat(hint("com.acme.Ledger#save(int)", ledger))
        .contains("save(java.lang.String) exists; the rule specifies save(int)");
    assertThat(hint("com.acme.Ledger#sav(..)", ledger)).contains("similar: save(java.lang.String)");
    assertThat(hint("com.acme.Ledger#store()", ledger)).contains("similar: Store()");
    assertThat(hint("com.acme.Ledger#unheardOf()", ledger))
        .isEqualTo(
            "com.acme.Ledger declares no unheardOf(); it may be declared in a parent, which then"
                + " has to be named: com.acme.Base, com.acme.Store");
  }

  @Test
  void hintNamesMethodsWithoutABody() {
    ClassShape ledger =
        new ClassShape(
            1,
            "com.acme.Ledger",
            "java.lang.Object",
            List.of(),
            List.of(shape(0x0400, "save", "()V"), shape(0x0100, "sync", "()V")));

    assertThat(hint("com.acme.Ledger#s*()", ledger))
        .contains("save() is abstract in com.acme.Ledger: name the class that implements it")
        .contains("sync() is native in com.acme.Ledger and can't be gated");
  }

  private static List<MethodShape> select(String pattern, MethodShape... methods) {
    ClassShape shape =
        new ClassShape(1, "A", "java.lang.Object", List.of(), Arrays.asList(methods));
    return MatchPattern.parse("A#" + pattern).meaning(shape, NOTHING).methods();
  }

  private static String hint(String pattern, ClassShape shape) {
    return MatchPattern.parse(pattern).meaning(shape, NOTHING).hint();
  }

  private static MethodShape shape(int access, String name, String descriptor) {
    return new MethodShape(access, name, descriptor, List.of());
  }
}
