package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.ReplayConclusion;
import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.report.Diagnosis;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.PytorchSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The notes of {@code stowage replay}, and the facts on its pages. */
final class ReplayFacts {

  /** The number of other devices of a snapshot that a note names; machines have up to 16. */
  private static final int MAX_NAMED_DEVICES = 16;

  private final CommandSpec spec;
  private final TraceInputOptions input;
  private final AllocatorOptions allocator;

  ReplayFacts(CommandSpec spec, TraceInputOptions input, AllocatorOptions allocator) {
    this.spec = spec;
    this.input = input;
    this.allocator = allocator;
  }

  /** {@return the facts on a replay} */
  RunFacts of(ReplayReport report) {
    List<Fact> facts = CommandFacts.of(spec, report.input(), report.summary().format());
    facts.add(new Fact("allocator", report.allocator().text()));
    facts.addAll(MemoryFacts.of(report, input.device(), allocator.limitBytes()));
    return RunFacts.none()
        .withConclusion(conclusion(report))
        .withFacts(facts)
        .withNotes(Stream.concat(allocator.notes().stream(), notes(report).stream()).toList())
        .withDiagnosis(Diagnosis.of(report));
  }

  /** {@return the conclusion, whose command has the options that it shares with the replay} */
  Conclusion conclusion(ReplayReport report) {
    return ReplayConclusion.of(
        report,
        GivenOptions.wordsWithout(
            spec, Set.of("--explain", "--at", "--format", "--wide", "--output", "--placements")),
        GivenOptions.words(spec, Set.of("--allocator", "--limit", "--device", "--lenient")));
  }

  /** {@return the notes on a trace and its replay} */
  List<String> notes(ReplayReport report) {
    List<String> notes = new ArrayList<>(input.notes(report.summary()));
    allocator.limitNote(report.allocator()).ifPresent(notes::add);
    otherDevices(report).ifPresent(notes::add);
    long contradictions = report.allocator().agreement().contradictions();
    if (contradictions > 0) {
      notes.add(
          Numbers.count(contradictions, "event")
              + (contradictions == 1
                  ? " of the recording contradicts"
                  : " of the recording contradict")
              + " its segments, as if it had lost events; addresses may differ from the recorded"
              + " ones");
    }
    if (!allocator.hasSettings()) {
      report
          .allocator()
          .unknownSettings()
          .forEach(name -> notes.add(PytorchSettings.withoutKnownEffect(name)));
    }
    return notes;
  }

  private Optional<String> otherDevices(ReplayReport report) {
    SortedMap<Integer, Integer> others =
        report.summary().recorded().map(RecordedState::otherEvents).orElseGet(TreeMap::new);
    if (others.isEmpty()) {
      return Optional.empty();
    }
    String list =
        others.entrySet().stream()
            .limit(MAX_NAMED_DEVICES)
            .map(other -> other.getKey() + " (" + Numbers.count(other.getValue(), "event") + ")")
            .collect(Collectors.joining(", "));
    return Optional.of(
        Text.of(
            report.details().state().isPresent()
                ? "the memory of device %s; --device N has that of another one: %s%s"
                : "replayed device %s; --device N replays another one: %s%s",
            input.device(),
            list,
            others.size() > MAX_NAMED_DEVICES ? ", ..." : ""));
  }
}
