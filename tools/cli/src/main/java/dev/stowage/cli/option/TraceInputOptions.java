package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.format.TraceOptions;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

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

  /** {@return the options of the trace reader} */
  public TraceOptions toOptions() {
    TraceOptions options = TraceFormats.options();
    return device.matches("[0-9]{1,9}")
        ? options.withDevice(Integer.parseInt(device))
        : options.withAllocator(device);
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
}
