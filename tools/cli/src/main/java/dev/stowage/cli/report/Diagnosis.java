package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Explanation;
import dev.stowage.cli.plan.PlanReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines of tables on the size of an arena, for pages. */
public final class Diagnosis {

  private Diagnosis() {}

  /** {@return the explanation that the table of a report prints; empty if there is none} */
  public static String of(PlanReport report) {
    Answer answer = new Answer();
    if (report.explanation().isPresent() && report.input() instanceof PlanInput.Tensors tensors) {
      ExplanationAnswer.addTo(answer, report.explanation().get(), tensors, "");
    }
    return TerminalPrinter.text(answer);
  }

  /** {@return the sentences of the explanation; without one, a sentence on the peak} */
  public static List<String> sentences(PlanReport report) {
    List<String> sentences = new ArrayList<>();
    if (report.input() instanceof PlanInput.Tensors tensors) {
      report
          .explanation()
          .ifPresent(given -> sentences.add(ExplanationAnswer.sentence(given, tensors)));
      Explanation explanation =
          report
              .explanation()
              .orElseGet(() -> Explanation.of(tensors.problem(), 0, Optional.empty()));
      sentences.addAll(RemedyText.of(explanation, tensors.file()));
    }
    return sentences;
  }
}
