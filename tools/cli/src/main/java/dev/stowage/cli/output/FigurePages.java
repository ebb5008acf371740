package dev.stowage.cli.output;

import dev.stowage.cli.diff.PlanDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.picture.DiffPage;
import dev.stowage.cli.picture.PlanDiffPage;
import dev.stowage.cli.picture.ReleaseDiffPage;
import dev.stowage.cli.replay.ComparedTrace;
import dev.stowage.cli.replay.DiffReport;
import dev.stowage.pages.text.RunFacts;

/** The HTML pages of commands whose results are tables. */
public final class FigurePages {

  private FigurePages() {}

  /** {@return the page of two compared recordings} */
  public static WholeFile.Content of(
      DiffReport report, ComparedTrace a, ComparedTrace b, RunFacts run) {
    return DiffPage.of(report, a, b, run)::write;
  }

  /** {@return the page of two compared plans} */
  public static WholeFile.Content of(PlanDiff diff, RunFacts run) {
    return PlanDiffPage.of(diff, run)::write;
  }

  /** {@return the page of two compared baselines} */
  public static WholeFile.Content of(ReleaseDiff diff, RunFacts run) {
    return ReleaseDiffPage.of(diff, run)::write;
  }
}
