package dev.stowage.cli.command;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.RangeReport;
import dev.stowage.cli.report.Diagnosis;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.PlanConclusions;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The facts on the page of {@code stowage plan}. */
final class PlanFacts {

  private final CommandSpec spec;
  private final PlanConclusions conclusions;
  private final Optional<PlanSelection> selection;
  private final RecordedOptions options;

  /**
   * @param selection the plans that are searched in one arena; empty with banks
   * @param options the options that change the figures
   */
  PlanFacts(CommandSpec spec, Optional<PlanSelection> selection, RecordedOptions options) {
    this.spec = spec;
    conclusions = new PlanConclusions(spec);
    this.selection = selection;
    this.options = options;
  }

  /** {@return the facts on plans in several banks} */
  RunFacts of(BankReport report) {
    InputFile file = report.input().file();
    return RunFacts.none()
        .withConclusion(conclusion(report))
        .withFacts(options(file))
        .withNotes(file.notes());
  }

  private List<Fact> options(InputFile file) {
    List<Fact> facts = CommandFacts.of(spec, file.path(), file.format());
    facts.addAll(options.facts());
    return facts;
  }

  /** {@return the facts on the plans of a file} */
  RunFacts of(PlanReport report) {
    InputFile file = report.input().file();
    OptionalLong capacity = selection.orElseThrow().capacityBytes(file);
    List<Fact> facts = options(file);
    facts.add(
        new Fact(
            "capacity",
            capacity.isPresent() ? ByteUnit.exact(capacity.getAsLong()) : "not limited"));
    List<String> strategies =
        report.plans().stream()
            .filter(Plan.OfStrategy.class::isInstance)
            .map(Plan::name)
            .distinct()
            .toList();
    facts.add(new Fact("strategies", String.join(", ", strategies)));
    if (strategies.contains(MemoryStrategy.OPTIMAL.name())
        || selection.orElseThrow().isExplained()) {
      facts.add(
          new Fact(
              "time limit of OPTIMAL",
              Text.of("%.3f s", selection.orElseThrow().search().timeLimit().toMillis() / 1e3)));
    }
    report.micro().ifPresent(micro -> addArena(micro, facts));
    report.ranges().ifPresent(ranges -> addRanges(ranges, facts));
    List<String> reasons = new ArrayList<>();
    CapacityCheck.shortage(report, capacity)
        .map(CapacityCheck.Shortage::text)
        .ifPresent(reasons::add);
    String lines = String.join("\n", reasons) + Diagnosis.of(report);
    reasons.addAll(Diagnosis.sentences(report));
    RunFacts run = RunFacts.none();
    return conclusion(report)
        .map(run::withConclusion)
        .orElse(run)
        .withFacts(facts)
        .withNotes(Stream.concat(file.notes().stream(), report.notes().stream()).toList())
        .withReasons(reasons)
        .withDiagnosis(lines.isEmpty() ? String.join("\n", reasons) : lines)
        .withCapacity(capacity);
  }

  Optional<Conclusion> conclusion(PlanReport report) {
    return conclusions.of(report, selection.orElseThrow().capacityBytes(report.input().file()));
  }

  Conclusion conclusion(BankReport report) {
    return conclusions.of(report);
  }

  private static void addRanges(RangeReport ranges, List<Fact> facts) {
    for (RangeReport.Bucket bucket : ranges.buckets()) {
      facts.add(new Fact("arena of " + bucket.ranges(), ByteUnit.exact(bucket.arenaBytes())));
    }
    for (RangeReport.ComparedShape shape : ranges.shapes()) {
      facts.add(new Fact("best arena at " + shape.shape(), ByteUnit.exact(shape.bestBytes())));
    }
  }

  private static void addArena(MicroReport micro, List<Fact> facts) {
    String estimate = micro.memory().isEstimate() ? " (estimate)" : "";
    facts.add(
        new Fact("kTensorArenaSize", ByteUnit.exact(micro.fileSize().arenaBytes()) + estimate));
    micro
        .bestSize()
        .ifPresent(best ->
            facts.add(
                new Fact(
                    "kTensorArenaSize with the best plan in the file",
                    ByteUnit.exact(best.arenaBytes()) + estimate)));
  }
}
