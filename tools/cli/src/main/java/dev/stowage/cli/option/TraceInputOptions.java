package dev.stowage.cli.option;

import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.Usage;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.console.ShortHelp;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.format.TraceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
      description = {
        "The device in a snapshot whose history is read, or the allocator in a",
        "recording of JDK Flight Recorder (default: 0)."
      })
  private int device;

  @Option(
      names = "--lenient",
      order = ShortHelp.RARE,
      description = "Skip events that cannot have happened, and print their number.")
  private boolean lenient;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  public int device() {
    return device;
  }

  /**
   * {@return the options of the trace reader}
   *
   * @throws ParameterException if {@code --device} is negative
   */
  public TraceOptions toOptions() {
    if (device < 0) {
      throw Usage.error(spec, "--device is %d, expected 0 or more", device);
    }
    TraceOptions options = TraceFormats.options().withDevice(device);
    return lenient ? options.withLenience() : options;
  }

  /** Prints the notes on a trace. */
  public void note(String trace, TraceSummary summary) {
    notes(summary).forEach(note -> Diagnostics.of(spec).note(trace, note));
  }

  /** {@return the notes on a trace: information that its format lacks, and skipped events} */
  public List<String> notes(TraceSummary summary) {
    List<String> notes = new ArrayList<>(summary.notes());
    if (summary.firstSkipped().isPresent()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "skipped events: %d, the first at %s",
              summary.skippedCount(),
              summary.firstSkipped().get()));
    }
    return notes;
  }
}
