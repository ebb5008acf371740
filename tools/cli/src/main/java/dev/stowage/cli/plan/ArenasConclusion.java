package dev.stowage.cli.plan;

import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The conclusion of {@code stowage plan} for several inputs. */
public final class ArenasConclusion {

  /** An input with the arena of its best plan. */
  private record Planned(String path, long bytes, boolean isOptimal, OptionalLong xlaBytes) {

    static Planned of(PlanReport report, Plan.Offsets best) {
      return new Planned(
          report.input().file().path(),
          report.micro().map(micro -> micro.fileSize().arenaBytes()).orElseGet(best::totalBytes),
          best.isOptimal(),
          report.planOfXla().stream().mapToLong(Plan.OfXla::totalBytes).findFirst());
    }
  }

  private ArenasConclusion() {}

  /**
   * {@return the conclusion on the inputs that need an arena; empty if none does}
   *
   * @param options the options of the command that change plans
   */
  public static Optional<Conclusion> of(List<PlanReport> reports, List<String> options) {
    List<Planned> planned =
        reports.stream()
            .flatMap(report -> report.bestOffsets().stream().map(best -> Planned.of(report, best)))
            .filter(each -> each.bytes() > 0)
            .toList();
    return planned.stream()
        .max(Comparator.comparingLong(Planned::bytes))
        .map(largest -> of(largest, planned, options));
  }

  private static Conclusion of(Planned largest, List<Planned> planned, List<String> options) {
    boolean isXla = planned.stream().allMatch(each -> each.xlaBytes().isPresent());
    long proved = planned.stream().filter(Planned::isOptimal).count();
    return new Conclusion(
        ByteUnit.human(isXla ? sum(planned) : largest.bytes()),
        isXla
            ? modules(planned)
            : Text.of(
                "%s needs the largest of %s: %s.",
                Printable.of(largest.path()),
                Numbers.count(planned.size(), "arena"),
                ByteUnit.sentence(largest.bytes())),
        Text.of(
            "%s of %s proved optimal.",
            Numbers.grouped(proved),
            Numbers.count(planned.size(), "plan") + (proved == 1 ? " is" : " are")),
        Optional.of(ShellLine.of("plan", largest.path(), options, "--explain")));
  }

  private static String modules(List<Planned> modules) {
    long bytes = sum(modules);
    long xlaBytes = modules.stream().mapToLong(each -> each.xlaBytes().orElseThrow()).sum();
    long savedBytes = xlaBytes - bytes;
    return Text.of(
        "The temporaries of %s fit into %s, %s.",
        Numbers.count(modules.size(), "module"),
        ByteUnit.sentence(bytes),
        savedBytes == 0
            ? "as much as XLA needs"
            : Numbers.percent(Math.abs(savedBytes), xlaBytes)
                + (savedBytes > 0 ? " less" : " more")
                + " than XLA needs");
  }

  private static long sum(List<Planned> planned) {
    return planned.stream().mapToLong(Planned::bytes).sum();
  }
}
