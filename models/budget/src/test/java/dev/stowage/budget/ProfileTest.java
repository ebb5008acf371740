package dev.stowage.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Budgets as text. */
class ProfileTest {

  /** A file name may have any characters, and so may the name of a dimension. */
  private static final ModelBudget BUDGET =
      new ModelBudget(
          "a\tb\\c\n.onnx",
          DimensionRanges.of(
              new DimensionRange("in\\put[0]", 1, 4), new DimensionRange("n\r'", 1, 2)),
          List.of(
              BudgetPart.of("engine", PartSource.CALIBRATED, PartUnit.PROCESS, PartPhase.ALWAYS, 7),
              new BudgetPart(
                  "inputs",
                  PartSource.COMPUTED,
                  PartUnit.THREAD,
                  PartPhase.LOADING,
                  PartBytes.of(SizeExpression.parse("4*'n\r'''"))),
              new BudgetPart(
                  "activations (first run)",
                  PartSource.MEASURED,
                  PartUnit.SESSION,
                  PartPhase.RUNNING,
                  PartBytes.sampled(
                      List.of(new SampleAxis("in\\put[0]", List.of(1L, 4L))),
                      new long[] {5, Long.MAX_VALUE}))));

  private static final String PROFILE =
      """
      stowage-budget\t1
      model\ta\\tb\\\\c\\n.onnx
      dimension\tin\\\\put[0]\t1\t4
      dimension\tn\\r'\t1\t2
      part\tengine\tcalibrated\tprocess\talways\tformula\t7
      part\tinputs\tcomputed\tthread\tloading\tformula\t4*'n\\r'''
      part\tactivations (first run)\tmeasured\tsession\trunning\tsamples\t1
      axis\tin\\\\put[0]\t1\t4
      values\t5\t9223372036854775807
      end
      """;

  @Test
  void toProfile_anyNames_isTheDocumentedText() {
    assertThat(BUDGET.toProfile()).isEqualTo(PROFILE);
  }

  @Test
  void parse_itsOwnProfile_isTheSameBudget() {
    assertThat(ModelBudget.parse(PROFILE)).isEqualTo(BUDGET);
    assertThat(ModelBudget.parse(PROFILE.replace("\n", "\r\n"))).isEqualTo(BUDGET);
  }

  @Test
  void parse_everyPrefix_isRejected() {
    for (int end = 0; end < PROFILE.length() - 1; end++) {
      String cut = PROFILE.substring(0, end);
      assertThatThrownBy(() -> ModelBudget.parse(cut))
          .as(cut)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("profile: line ");
    }
  }

  /** Damages a line of a profile; {@code /} separates fields. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | stowage-budget/2 | line 1: the version of the profile is 2, expected 1: write the profile with this version of stowage budget",
        "1 | x | line 1: expected the header 'stowage-budget', a tab and 1, found 'x'",
        "2 | model | line 2: expected 'model' with 1 fields, found 'model'",
        "2 | model/a/b | line 2: 'model' has 2 fields, expected 1",
        "2 | 'model/a\\b' | line 2: expected \\\\, \\t, \\n or \\r after each backslash, found 'a\\b'",
        "2 | 'model/a\\' | line 2: expected \\\\, \\t, \\n or \\r after each backslash, found 'a\\'",
        "3 | dimension/n/4/1 | line 3: the range of dimension 'n' must satisfy 1 <= first <= last: first=4, last=1",
        "3 | dimension/n/-4/1 | line 3: expected a whole number, found '-4'",
        "3 | dimension/n/0/1 | line 3: the range of dimension 'n' must satisfy 1 <= first <= last: first=0, last=1",
        "3 | dimension/ /1/1 | line 3: the name of a dimension must not be blank",
        "3 | dimension/m/1/8 | line 8: part 'p' depends on dimension 'n', which has no range",
        "3 | dimension/n/1/9 | line 8: part 'q' has samples of dimension 'n' from 1 to 8, expected samples for n=1..9",
        "3 | other/x | line 3: expected 'part' with 6 fields, found 'other?x'",
        "4 | dimension/n/1/8 | line 8: dimension 'n' has two ranges",
        "4 | part/p/guessed/session/always/formula/1 | line 4: expected one of [computed, calibrated, measured], found 'guessed'",
        "4 | part/p/computed/thing/always/formula/1 | line 4: expected one of [process, session, further_session, thread], found 'thing'",
        "4 | part/p/computed/session/never/formula/1 | line 4: expected one of [always, loading, running], found 'never'",
        "4 | part/p/computed/session/always/text/1 | line 4: expected formula or samples, found 'text'",
        "4 | part/p/computed/session/always/formula/-1 | line 4: the bytes of a part must not be negative: bytes=-1",
        "4 | part/p/computed/session/always/formula/m | line 8: part 'p' depends on dimension 'm', which has no range",
        "4 | part/q/computed/session/always/formula/1 | line 8: two parts have the name 'q', expected one",
        "4 | part/p*/computed/session/always/formula/1 | line 4: the name of a part must have letters, digits, spaces, hyphens and parentheses only: name=p*",
        "5 | part/q/computed/session/always/samples/9 | line 5: expected 0 to 8 axes, found 9",
        "5 | part/q/computed/session/always/samples/2 | line 7: expected 'axis' with 2 fields, found 'values?3?4'",
        "6 | axis/n/8/1 | line 6: the points of dimension 'n' must be positive and ascend: points=[8, 1]",
        "7 | values/3 | line 7: a grid of 2 points needs as many values: values=1",
        "7 | values/3/99999999999999999999 | line 7: expected a number of at most 2^63 - 1, found '99999999999999999999'",
        "7 | values/3/ | line 7: expected a whole number, found ''",
        "8 | ending | line 8: expected 'part' with 6 fields, found 'ending'",
      })
  void parse_damagedLines_areNamed(int line, String replacement, String message) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "stowage-budget\t1",
                "model\tm",
                "dimension\tn\t1\t8",
                "part\tp\tcomputed\tsession\talways\tformula\t2*n",
                "part\tq\tcomputed\tsession\trunning\tsamples\t1",
                "axis\tn\t1\t8",
                "values\t3\t4",
                "end"));
    ModelBudget.parse(String.join("\n", lines));
    lines.set(line - 1, replacement.replace('/', '\t'));

    assertThatThrownBy(() -> ModelBudget.parse(String.join("\n", lines)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile: " + message);
  }

  @Test
  void parse_linesAfterTheEnd_areRejected() {
    assertThatThrownBy(() -> ModelBudget.parse(PROFILE + "part"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profile: line 11: expected nothing after 'end', found 'part'");
    assertThatThrownBy(() -> ModelBudget.parse("stowage-budget\t1\nmodel\tm\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "profile: line 2: the profile is cut short, expected the line 'end' at its end");
  }
}
