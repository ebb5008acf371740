package dev.stowage.plan.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.Violation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Layouts and their checks, by hand; LayoutCheckerRandomTest has random ones. */
class ShapeLayoutTest {

  private static final SymbolicProblem PROBLEM =
      new SymbolicProblem(
          List.of(
              SymbolicRecord.of(SizeExpression.parse("10*n"), 0, 1),
              SymbolicRecord.of(SizeExpression.parse("100"), 1, 2).withName("b"),
              SymbolicRecord.of(SizeExpression.parse("n*n"), 2, 3)),
          DimensionRanges.of(new DimensionRange("n", 1, 20)),
          4);

  private static ShapeLayout layout(String... offsets) {
    return ShapeLayout.of(PROBLEM, List.of(offsets).stream().map(LayoutOffset::parse).toList());
  }

  @Test
  void at_shape_evaluatesTheFormulas() {
    ShapeLayout layout = layout("0", "roundup(end(0), 4)", "max(end(1), 200)");

    assertThat(layout.at(DimensionValues.of("n", 3)))
        .isEqualTo(OffsetsAssignment.of(new long[] {0, 32, 200}, 209));
    assertThat(layout.offsets(DimensionValues.of("n", 20))).containsExactly(0, 200, 300);
    assertThat(layout.totalBytes(DimensionValues.of("n", 20))).isEqualTo(700);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout.offsets(DimensionValues.of("n", 21)))
        .withMessage("the shape is not within the ranges: shape n=21, ranges n=1..20");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout.offsets(DimensionValues.of("m", 1)))
        .withMessage("dimension 'n' has no value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "end(1)|end(0)|0|the offset of record 0 depends on itself through the ends of other records",
        "end(0)|0|0|the offset of record 0 depends on itself through the ends of other records",
        "end(3)|0|0|the offset of record 0 refers to record 3, expected 0 to 2",
        "m|0|0|dimension 'm' has no range",
        "9223372036854775800|0|0|the offset of record 0 cannot be computed for all shapes, or its end may exceed 2^63 - 1: 9223372036854775800",
      })
  void of_wrongFormula_isAnError(String first, String second, String third, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout(first, second, third))
        .withMessage(message);
  }

  @Test
  void of_wrongNumberOfFormulas_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> layout("0"))
        .withMessage("a layout needs one offset for each record: offsets=1, records=3");
  }

  @ParameterizedTest
  @CsvSource({
    "'max(3, end(4))'",
    "'roundup(end(2), 64)'",
    "'roundup(max(2*''a, (b'' + 1, end(0), end(12)), 8)'",
    "0",
    "'max(a, b) + 1'",
    "'max(a, b)'",
    "'end(7)'"
  })
  void parse_formula_isReadBack(String text) {
    assertThat(LayoutOffset.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "end(x)|expression 'end(x)': expected a function: floor, ceil, max, min or roundup at character 1, found 'end(x)'",
        "end(1) + 2|expression 'end(1) + 2': expected a function: floor, ceil, max, min or roundup at character 1, found 'end(1) + 2'",
        "roundup(end(1), n)|offset 'roundup(end(1), n)': expected roundup(a, n) with a positive number n",
        "roundup(end(1), 0)|multiple must be positive: multiple=0",
        "max(end(1), end(1))|below must contain different indices of records: below=[1, 1]",
        "max(|expression 'max(': expected a number, a dimension or a parenthesis at character 5, found the end",
      })
  void parse_wrongFormula_isAnError(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LayoutOffset.parse(text))
        .withMessage(message);
  }

  @Test
  void violation_validLayouts_areCertified() {
    assertThat(LayoutChecker.violation(layout("0", "roundup(end(0), 4)", "roundup(end(1), 4)")))
        .isEmpty();
    assertThat(LayoutChecker.violation(layout("0", "12*n", "12*n + 100"))).isEmpty();
    assertThat(LayoutChecker.violation(layout("100", "0", "100"), 500)).isEmpty();
    assertThat(
            LayoutChecker.violation(ShapeLayout.constant(PROBLEM, new long[] {0, 200, 300}), 700))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n - 5|200|500|Z1 record 0 starts below 0 at n=1: bytes -4 to 6",
        "0|end(0)|500|Z2 record 1 'b' starts at an offset that is not a multiple of 4 at n=1: bytes 10 to 110",
        "0|roundup(10*n, 6)|500|Z2 record 1 'b' starts at an offset that is not a multiple of 4 at n=10: bytes 102 to 202",
        "0|8*n|500|Z3 record 0 and record 1 'b' need the same bytes at task 1 at n=20: bytes 0 to 200, bytes 160 to 260",
        "0|200|4*n + 200|Z3 record 1 'b' and record 2 need the same bytes at task 2 at n=1: bytes 200 to 300, bytes 204 to 205",
      })
  void violation_wrongLayout_hasAShape(String first, String second, String third, String message) {
    Optional<Violation> violation = LayoutChecker.violation(layout(first, second, third));

    assertThat(violation.map(Violation::message)).contains(message);
    assertThat(violation.orElseThrow().shape()).isNotEmpty();
  }

  @Test
  void violation_smallArena_namesTheHighestRecord() {
    ShapeLayout layout = layout("100", "0", "100");

    assertThat(LayoutChecker.violation(layout, 499).map(Violation::message))
        .contains("Z4 record 2 ends beyond the arena of 499 bytes at n=20: bytes 100 to 500");
  }
}
