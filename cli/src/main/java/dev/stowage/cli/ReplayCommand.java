package dev.stowage.cli;

import dev.stowage.cli.output.PlacementsFile;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPageFile;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.report.ReportFormats;
import dev.stowage.cli.text.Numbers;
import dev.stowage.cli.trace.TraceFormats;
import dev.stowage.core.trace.RecordedState;
import dev.stowage.core.trace.TraceOptions;
import dev.stowage.core.trace.TraceSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage replay}: replays recorded allocations with the allocator. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Replays the allocations and frees of each TRACE with an allocator.",
      "The device is simulated and needs no memory. A TRACE is a file of one of these formats, which",
      "the command detects from its content. All but .jfr may be compressed (.gz, .zip).",
      "  a CSV file (op,id,bytes,stream,t), such as one of a TraceRecorder",
      "  a memory snapshot of PyTorch (.pickle), or a raw memory timeline of its profiler",
      "  a recording of JDK Flight Recorder (.jfr) with the events of Stowage's allocators",
      "  a log of RAPIDS Memory Manager, of Umpire (replay), of STAlloc or of Android (malloc)",
      "  a JSON dump of Vulkan Memory Allocator"
    },
    footer = {
      "",
      "Examples:",
      "  How much memory would the allocator reserve for a program?",
      "    stowage replay trace.csv.gz",
      "  Would all requests fit into one region of 4 GiB?",
      "    stowage replay trace.csv.gz --no-growth --limit 4GiB",
      "  Where are the chunks over time, and which code allocated them?",
      "    stowage replay snapshot.pickle --output replay.html",
      "  Would PyTorch have needed less memory with other settings?",
      "    stowage replay snapshot.pickle --allocator pytorch --settings max_split_size_mb:128",
      "  Which offset does each request get?",
      "    stowage replay trace.csv --placements placements.csv --format json"
    })
final class ReplayCommand implements Callable<Integer> {

  /** The number of other devices of a snapshot that a note names; machines have up to 16. */
  private static final int MAX_NAMED_DEVICES = 16;

  @Parameters(arity = "1..*", paramLabel = "TRACE", description = "The trace to replay.")
  private List<String> traces = List.of();

  @Mixin private AllocatorOptions allocatorOptions = new AllocatorOptions();

  @Option(
      names = "--allow-failures",
      description = "The exit code is 0 although requests fail under a --limit.")
  private boolean allowFailures;

  @Option(
      names = "--placements",
      paramLabel = "PATH",
      description = {
        "Write the place of each request as CSV: id,bytes,region,offset. With",
        "--allocator pytorch also address, and older blocks come first."
      })
  private Optional<String> placements = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = "Write an .html page with a memory map and curves over the events.")
  private Optional<String> output = Optional.empty();

  @Option(
      names = "--device",
      paramLabel = "N",
      description = {
        "The device in a snapshot whose history is replayed, or the allocator in a",
        "recording of JDK Flight Recorder (default: 0)."
      })
  private int device;

  @Option(
      names = "--lenient",
      description = "Skip events that cannot have happened, and print their number.")
  private boolean lenient;

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private boolean hasPrinted;

  @Override
  public Integer call() {
    List<ReplayFile> files = files();
    if (device < 0) {
      throw usage(String.format(Locale.ROOT, "--device is %d, expected 0 or more", device));
    }
    ReplayedAllocator allocator = allocatorOptions.toAllocator();
    allocatorOptions.notes().forEach(note -> diagnostics().report("note: " + note));
    ReplayRunner runner =
        new ReplayRunner(
            traceOptions(),
            allocator,
            placements.isPresent(),
            output.isPresent(),
            !format.isJson());
    return EachFile.run(
        spec,
        traces,
        "replayed",
        (_, trace) -> {
          ReplayReport report = runner.run(trace);
          report.summary().notes().forEach(note -> diagnostics().note(trace, note));
          noteSkippedEvents(report.summary(), trace);
          noteOtherDevices(report.summary(), trace);
          print(report);
          return ExitCode.graver(write(files, report), exitCode(report));
        });
  }

  private int exitCode(ReplayReport report) {
    return report.result().failures() > 0 && allocatorOptions.isLimited() && !allowFailures
        ? ExitCode.NO_PLAN
        : ExitCode.DONE;
  }

  private void print(ReplayReport report) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (hasPrinted && !format.isJson()) {
      out.println();
    }
    ReportFormats.replays(format.isJson()).print(report, out);
    out.flush();
    hasPrinted = true;
  }

  private List<ReplayFile> files() {
    List<ReplayFile> files = new ArrayList<>();
    if (placements.isPresent()) {
      checkOutput("--placements", "the placements", placements.get());
      files.add(new PlacementsFile(placements.get()));
    }
    if (output.isPresent()) {
      String path = output.get();
      checkOutput("--output", "the page", path);
      files.add(
          ReplayPageFile.of(path)
              .orElseThrow(() ->
                  usage(
                      String.format(
                          Locale.ROOT,
                          "--output is '%s', expected a name that ends in .html",
                          path))));
      if (placements.isPresent() && Diagnostics.isSamePath(path, placements.get())) {
        throw usage(
            String.format(
                Locale.ROOT,
                "--output and --placements are both '%s'; use another name for one",
                path));
      }
    }
    return files;
  }

  private void checkOutput(String option, String what, String path) {
    if (traces.size() > 1) {
      throw usage(
          String.format(
              Locale.ROOT,
              "%s writes %s of one TRACE, but there are %d",
              option,
              what,
              traces.size()));
    }
    if (Diagnostics.isSame(path, traces.getFirst())) {
      throw usage(
          String.format(
              Locale.ROOT, "%s is '%s', which is the input; use another name", option, path));
    }
  }

  private TraceOptions traceOptions() {
    TraceOptions options = TraceFormats.options().withDevice(device);
    return lenient ? options.withLenience() : options;
  }

  private void noteSkippedEvents(TraceSummary summary, String trace) {
    if (summary.firstSkipped().isPresent()) {
      diagnostics()
          .note(
              trace,
              String.format(
                  Locale.ROOT,
                  "skipped events: %d, the first at %s",
                  summary.skippedCount(),
                  summary.firstSkipped().get()));
    }
  }

  private void noteOtherDevices(TraceSummary summary, String trace) {
    SortedMap<Integer, Integer> others =
        summary.recorded().map(RecordedState::otherEvents).orElseGet(TreeMap::new);
    if (!others.isEmpty()) {
      String list =
          others.entrySet().stream()
              .limit(MAX_NAMED_DEVICES)
              .map(other -> other.getKey() + " (" + Numbers.count(other.getValue(), "event") + ")")
              .collect(Collectors.joining(", "));
      diagnostics()
          .note(
              trace,
              String.format(
                  Locale.ROOT,
                  "replayed device %d; --device N replays another one: %s%s",
                  device,
                  list,
                  others.size() > MAX_NAMED_DEVICES ? ", ..." : ""));
    }
  }

  private int write(List<ReplayFile> files, ReplayReport report) {
    int exitCode = ExitCode.DONE;
    for (ReplayFile file : files) {
      try {
        file.write(report);
        diagnostics().report("wrote " + file.path());
      } catch (IOException e) {
        exitCode = diagnostics().reportUnwritten(file.path(), e);
      }
    }
    return exitCode;
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
