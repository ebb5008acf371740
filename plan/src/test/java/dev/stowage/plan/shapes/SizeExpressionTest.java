package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeExpressionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "2*batch*seq;2*batch*seq",
        "seq*batch*2 + batch*seq;3*batch*seq",
        "b - b;0",
        "(a + b)*(a - b);a*a - b*b",
        "-a;-a",
        "2 - a;-a + 2",
        "- - 3;3",
        "7/2;3",
        "-7/2;-4",
        "ceil(7/2);4",
        "(6*b*s)/(3*s);2*b",
        "floor(6*b*s/(4*s));b + floor(b/2)",
        "(b*s + s)/s;b + 1",
        "((a + 1)*(b + 2))/(b + 2);a + 1",
        "(4*s + 7)/4;s + 1",
        "s/2/3;floor(s/6)",
        "ceil(s/2)*2;2*floor((s + 1)/2)",
        "roundup(s, 64);64*floor((s + 63)/64)",
        "roundup(128*s, 64);128*s",
        "s/(s + 1);0",
        "max(s, s + 3);s + 3",
        "max(b, s);max(b, s)",
        "max(s, b, s);max(b, s)",
        "max(max(a, b), c);max(a, b, c)",
        "max(2*b, 4*s);2*max(b, 2*s)",
        "max(s, 1);s",
        "min(s, 1);1",
        "min(a, b);min(a, b)",
        "min(a, b) - max(a, b);min(a, b) - max(a, b)",
        "3*min(a, 2*b);3*min(a, 2*b)",
        "'it''s' + 'a b';'a b' + 'it''s'",
        "'max' + max;2*'max'",
        "a/(b - 3);floor(a/(b - 3))",
      })
  void parse_expression_isSimplified(String text, String simplified) {
    SizeExpression expression = SizeExpression.parse(text);

    assertThat(expression).hasToString(simplified);
    assertThat(SizeExpression.parse(simplified)).isEqualTo(expression);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``;expression '': expected a number, a dimension or a parenthesis at character 1, found the end",
        "2*;expression '2*': expected a number, a dimension or a parenthesis at character 3, found the end",
        "2 3;expression '2 3': expected an operator or the end at character 3, found '3'",
        "(2;expression '(2': expected an operator or ')' at character 3, found the end",
        "end(3);expression 'end(3)': expected a function: floor, ceil, max, min or roundup at character 1, found 'end(3)'",
        "sqrt(a);expression 'sqrt(a)': expected a function: floor, ceil, max, min or roundup at character 1, found 'sqrt(a)'",
        "a # b;expression 'a # b': expected an operator or the end at character 3, found '# b'",
        "1.5;expression '1.5': expected an operator or the end at character 2, found '.5'",
        "a/0;divisor must be positive: divisor=0",
        "a/-2;divisor must be positive: divisor=-2",
        "roundup(a, b);expression 'roundup(a, b)': expected roundup(a, n) with a positive number n at character 1, found 'roundup(a, b)'",
        "9223372036854775808;expression '9223372036854775808' is too large: a number must not exceed 2^63 - 1: 9223372036854775808",
        "9223372036854775807 + 1;expression '9223372036854775807 + 1' is too large: long overflow",
      })
  void parse_wrongText_isAnError(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse(text))
        .withMessage(message);
  }

  @Test
  void parse_openQuote_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("2*'a"))
        .withMessage("expression '2*'a': expected a closing quote at character 5, found the end");
  }

  @Test
  void parse_deepNesting_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("(".repeat(90_000) + "a"))
        .withMessageEndingWith("has more than 200 parentheses within each other");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("a".repeat(100_001)))
        .withMessage("an expression must not have more than 100000 characters: 100001");
    assertThat(SizeExpression.parse("-".repeat(90_000) + "a")).hasToString("a");
  }

  @Test
  void parse_hugeProducts_areErrors() {
    StringBuilder product = new StringBuilder("1");
    for (int i = 0; i < 40; i++) {
      product.append("*(1 + x").append(i).append(')');
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse(product.toString()))
        .withMessageContaining("must not have more than 10000 parts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("x" + "*x".repeat(100)))
        .withMessageContaining("the degree of an expression must not exceed 100: 101");
    StringBuilder floors = new StringBuilder("x");
    for (int i = 0; i < 150; i++) {
      floors.insert(0, "max(y, ").append("/2 + 1)");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse(floors.toString()))
        .withMessageContaining("must not have more than 100 floors and maximums within each other");
  }

  @Test
  void times_squaredOften_endsWithAnError() {
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> {
          SizeExpression x = SizeExpression.dimension("a");
          for (int i = 0; i < 100; i++) {
            x = x.times(x).plus(1).floorDivide(3).max(SizeExpression.dimension("b" + i));
          }
        });
  }

  @Test
  void evaluate_overflowOrWrongDivisor_throws() {
    DimensionValues values = DimensionValues.of(Map.of("a", 4_000_000_000L, "b", 3L));

    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> SizeExpression.parse("a*a").evaluate(values))
        .withMessage("long overflow");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> SizeExpression.parse("a/(b - 3)").evaluate(values))
        .withMessageStartingWith("a divisor must be positive: b - 3 is 0 at ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("c").evaluate(values))
        .withMessage("dimension 'c' has no value");
  }

  @Test
  void dimension_blankName_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.dimension(" "))
        .withMessage("the name of a dimension must not be blank");
  }

  @Test
  void dimensions_ofNestedParts_areSorted() {
    assertThat(SizeExpression.parse("max(z, a/(b + 1)) + 3*c").dimensions())
        .containsExactly("a", "b", "c", "z");
  }
}
