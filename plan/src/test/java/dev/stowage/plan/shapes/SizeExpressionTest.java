package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.testing.Seeds;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SizeExpressionTest {

  private static final DimensionValues SHAPE =
      DimensionValues.of(Map.of("batch", 8L, "seq", 100L, "it's", 3L, "max", 5L));

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "2*batch*seq; 1600",
        "- - 3; 3",
        "7/2; 3",
        "-7/2; -4",
        "ceil(7/2); 4",
        "ceil(-7/2); -3",
        "ceil(seq/16)*16; 112",
        "seq/3/3; 11",
        "ceil(seq/3/3); 11",
        "roundup(seq, 64) + 1; 129",
        "max(batch, seq, 7) - min(batch, 7); 93",
        "'it''s' + 'max' + max; 13",
        "floor((seq + batch)/(batch - 1)); 15",
        "9223372036854775807*batch/batch; 9223372036854775807",
      })
  void evaluate_expression_isItsValue(String text, long value) {
    SizeExpression expression = SizeExpression.parse(text);

    assertThat(expression.evaluate(SHAPE)).isEqualTo(value);
    assertThat(SizeExpression.parse(expression.toString())).isEqualTo(expression);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "; expression '': expected a number, a dimension or a parenthesis at character 1, found the end",
        "2*; expression '2*': expected a number, a dimension or a parenthesis at character 3, found the end",
        "(a; expression '(a': expected an operator or ')' at character 3, found the end",
        "a b; expression 'a b': expected an operator or the end at character 3, found 'b'",
        "end(0); expression 'end(0)': expected a function: floor, ceil, max, min or roundup at character 1, found 'end(0)'",
        "roundup(a, b); expression 'roundup(a, b)': expected roundup(a, n) with a positive number n at character 1, found 'roundup(a, b)'",
        "floor(a, b); expression 'floor(a, b)': expected one argument of floor at character 1, found 'floor(a, b)'",
        "'a; expression ''a': expected a closing quote at character 3, found the end",
        "9223372036854775808; expression '9223372036854775808': a number must not exceed 2^63 - 1: 9223372036854775808",
        "4/0; expression '4/0' has no value: a divisor must be positive: divisor=0",
        "''; the name of a dimension must not be blank",
      })
  void parse_text_isRefusedWithTheReason(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse(text == null ? "" : text))
        .withMessage(message);
  }

  @Test
  void parse_deepOrLongText_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("(".repeat(300) + "a"))
        .withMessageEndingWith("has more than 200 parentheses within each other");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("a+".repeat(6_000) + "a"))
        .withMessage("an expression must not have more than 10000 characters: 12001");
    assertThat(SizeExpression.parse("a+".repeat(4_000) + "a").evaluate(DimensionValues.of("a", 2)))
        .isEqualTo(8_002);
  }

  @Test
  void evaluate_withoutAValue_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeExpression.parse("n").evaluate(SHAPE))
        .withMessage("dimension 'n' has no value");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> SizeExpression.parse("4611686018427387904*batch").evaluate(SHAPE))
        .withMessage("the value must be from -2^63 to 2^63 - 1");
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> SizeExpression.parse("seq/(batch - 8)").evaluate(SHAPE))
        .withMessage("a divisor must be positive: divisor=0");
  }

  @Test
  void constant_withoutDimensions_isTheValue() {
    assertThat(SizeExpression.parse("2*(3 + 4)").constant()).hasValue(14);
    assertThat(SizeExpression.of(7).constant()).hasValue(7);
    assertThat(SizeExpression.parse("batch").constant()).isEmpty();
    assertThat(SizeExpression.parse("batch*seq").dimensions())
        .containsExactlyInAnyOrder("batch", "seq");
  }

  /** The bounds contain all values, and are values if no dimension occurs twice. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void bounds_anyExpression_containAllValues(long seed) {
    Random random = new Random(seed);
    RandomExpressions.Tree tree = new RandomExpressions(random).next(1 + random.nextInt(3));
    SizeExpression expression = SizeExpression.parse(tree.text());
    DimensionRanges ranges = RandomRanges.of(RandomExpressions.NAMES, 4, random);
    List<DimensionValues> shapes = RandomRanges.all(ranges);

    long largest = expression.largest(ranges);
    long smallest = expression.smallest(ranges);
    for (DimensionValues shape : shapes) {
      long value = tree.value().at(shape);
      assertThat(expression.evaluate(shape)).as("%s at %s", tree.text(), shape).isEqualTo(value);
      assertThat(value).as("%s at %s", tree.text(), shape).isBetween(smallest, largest);
    }
    boolean occurOnce =
        RandomExpressions.NAMES.stream().allMatch(name -> tree.text().split(name, -1).length <= 2)
            && !tree.text().contains("max")
            && !tree.text().contains("floor");
    if (occurOnce) {
      assertThat(shapes).as(tree.text()).anyMatch(s -> tree.value().at(s) == largest);
    }
  }
}
