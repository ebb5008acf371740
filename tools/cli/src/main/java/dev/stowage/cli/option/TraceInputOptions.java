package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.run.Usage;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that reads traces. */
public final class TraceInputOptions {

  @Option(
      names = "--device",
      order = ShortHelp.RARE,
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "The device in a snapshot or a log whose history is read, or the",
        "allocator in a recording of JDK Flight Recorder (default: 0). For a log",
        "of XLA, also the name of an allocator, such as xla_gpu_host_bfc."
      })
  private String device = "0";

  @Option(
      names = "--lenient",
      order = ShortHelp.RARE,
      description = "Skip events that cannot have happened, and print their number.")
  private boolean lenient;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the options of the trace reader}
   *
   * @throws ParameterException if {@code --device} is negative
   */
  public TraceOptions toOptions() {
    TraceOptions options = TraceFormats.options();
    OptionalInt index = index();
    options =
        index.isPresent() ? options.withDevice(index.getAsInt()) : options.withAllocator(device);
    return lenient ? options.withLenience() : options;
  }

  private OptionalInt index() {
    if (device.matches("[0-9]{1,9}")) {
      return OptionalInt.of(Integer.parseInt(device));
    }
    if (device.matches("[-+]?[0-9]+")) {
      throw Usage.error(spec, "--device is %s, expected 0 to 999999999", device);
    }
    return OptionalInt.empty();
  }

  /** {@return a note on the other devices of a recording, if there are some} */
  public Optional<String> otherDevicesNote(ReplayReport report) {
    SortedMap<Integer, Integer> others =
        report.summary().recorded().map(RecordedState::otherEvents).orElseGet(TreeMap::new);
    if (others.isEmpty()) {
      return Optional.empty();
    }
    String list =
        others.entrySet().stream()
            .map(other -> other.getKey() + " (" + Numbers.count(other.getValue(), "event") + ")")
            .collect(Collectors.joining(", "));
    return Optional.of(
        Text.of(
            report.isState()
                ? "the memory of device %s; --device N has the memory of another one: %s"
                : "replayed device %s; --device N replays another one: %s",
            device,
            list));
  }

  /** {@return the notes on a trace: information that its format lacks, and skipped events} */
  public List<String> notes(TraceSummary summary) {
    List<String> notes = new ArrayList<>(summary.notes());
    if (summary.firstSkipped().isPresent()) {
      notes.add(
          Text.of(
              "skipped events: %d, the first at %s",
              summary.skippedCount(), summary.firstSkipped().get()));
    }
    return notes;
  }
}
