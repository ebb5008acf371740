package dev.stowage.cli.conclusion;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The conclusion of {@code stowage plan} for several inputs. */
public final class ArenasConclusion {

  /** An input with its best plan. */
  private record Planned(String path, Plan.Offsets best) {}

  private ArenasConclusion() {}

  /** {@return the conclusion on the inputs that have a plan in one arena; empty if none has one} */
  public static Optional<Conclusion> of(List<PlanReport> reports) {
    List<Planned> planned =
        reports.stream()
            .flatMap(report ->
                report.bestOffsets().stream()
                    .map(best -> new Planned(report.input().file().path(), best)))
            .toList();
    return planned.stream()
        .max(Comparator.comparingLong(each -> each.best().totalBytes()))
        .map(largest -> of(largest, planned));
  }

  private static Conclusion of(Planned largest, List<Planned> planned) {
    long proved = planned.stream().filter(each -> each.best().isOptimal()).count();
    return new Conclusion(
        ByteUnit.human(largest.best().totalBytes()),
        String.format(
            Locale.ROOT,
            "%s needs the largest of %s: %s.",
            Printable.of(largest.path()),
            Numbers.count(planned.size(), "arena"),
            ByteUnit.sentence(largest.best().totalBytes())),
        String.format(
            Locale.ROOT,
            "%s of %s proved optimal.",
            Numbers.grouped(proved),
            Numbers.count(planned.size(), "plan") + (proved == 1 ? " is" : " are")),
        Optional.of(ShellLine.of("plan", largest.path(), List.of(), "--explain")));
  }
}
