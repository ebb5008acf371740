package dev.stowage.cli;

import dev.stowage.cli.output.PlacementsFile;
import dev.stowage.cli.output.ReplayFile;
import dev.stowage.cli.output.ReplayPageFile;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.report.ReportFormat;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.trace.TraceOptions;
import dev.stowage.core.trace.TraceSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage replay}: lets the allocator answer recorded histories. */
@Command(
    name = "replay",
    sortOptions = false,
    description = {
      // The first line stands in the list of commands.
      "Replays the allocations and frees of each TRACE through the BFC allocator.",
      "The device is simulated: no memory is touched. A TRACE is a CSV (op,id,bytes,stream,t) or an",
      "RMM log, both also as .gz, or a PyTorch memory snapshot."
    },
    footer = {
      "",
      "Examples:",
      "  How much would the allocator hold for what a program asked for?",
      "    stowage replay trace.csv.gz",
      "  Would it have fitted into 4 GiB, taken at once?",
      "    stowage replay trace.csv.gz --no-growth --limit 4GiB",
      "  Where do the bytes lie over time, and who asked for them?",
      "    stowage replay snapshot.pickle --output replay.html",
      "  Where does each request go?",
      "    stowage replay trace.csv --placements placements.csv --format json"
    })
final class ReplayCommand implements Callable<Integer> {

  private static final long SMALLEST_LIMIT_BYTES = 256;

  /** Options that are about what is told of a replay, not about the replay. */
  private static final Set<String> OF_REPORTS = Set.of("--placements", "--output", "--format");

  @Parameters(arity = "1..*", paramLabel = "TRACE", description = "What to replay.")
  private List<String> traces = List.of();

  @Option(
      names = "--limit",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "The device has BYTES, such as 64MiB or 2GiB (no limit, with growth).")
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--growth",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Start small and double (the default), or take one region of the limit.")
  private boolean growth = true;

  @Option(
      names = "--first-region",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "The least size of the first region, where regions double (1MiB).")
  private long firstRegion = 1 << 20;

  @Option(
      names = "--max-dead",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Split a chunk where the rest would be at least BYTES, or at least",
        "the request (128MiB)."
      })
  private long maxDead = 128 << 20;

  @Option(
      names = "--expandable",
      description = {
        "One region, which grows at its end by what a request lacks, and",
        "shrinks by what is free there."
      })
  private boolean expandable;

  @Option(
      names = "--garbage-collect",
      description = "Give wholly free regions back before a request fails.")
  private boolean garbageCollect;

  @Option(
      names = "--placements",
      paramLabel = "PATH",
      description = "Write where each request went, as CSV: id,bytes,region,offset.")
  private Optional<String> placements = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = "Write an .html page: a memory map, and curves over the events.")
  private Optional<String> output = Optional.empty();

  @Option(
      names = "--device",
      paramLabel = "N",
      description = "Whose history to take of a snapshot (0).")
  private int device;

  @Option(
      names = "--lenient",
      description = "Leave out events that cannot have happened, and say how many.")
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
    ReplayRunner runner =
        new ReplayRunner(
            traceOptions(),
            allocatorOptions(),
            placements.isPresent(),
            output.isPresent(),
            !format.isJson());
    return EachFile.run(
        spec,
        traces,
        "replayed",
        (_, trace) -> {
          ReplayReport report = runner.run(trace);
          noteSkippedEvents(report.summary(), trace);
          print(report);
          return write(files, report);
        });
  }

  private void print(ReplayReport report) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (hasPrinted && !format.isJson()) {
      out.println();
    }
    ReportFormat.ofReplays(format.isJson()).print(report, out);
    out.flush();
    hasPrinted = true;
  }

  private List<ReplayFile> files() {
    List<ReplayFile> files = new ArrayList<>();
    if (placements.isPresent()) {
      refuseOverwriting("--placements", "those", placements.get());
      files.add(new PlacementsFile(placements.get()));
    }
    if (output.isPresent()) {
      String path = output.get();
      refuseOverwriting("--output", "the page", path);
      files.add(
          ReplayPageFile.of(path, settings())
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
                "--output and --placements are both '%s'; name another file for one",
                path));
      }
    }
    return files;
  }

  private void refuseOverwriting(String option, String what, String path) {
    if (traces.size() > 1) {
      throw usage(
          String.format(
              Locale.ROOT,
              "%s takes %s of one TRACE, but there are %d",
              option,
              what,
              traces.size()));
    }
    if (Diagnostics.isSame(path, traces.getFirst())) {
      throw usage(
          String.format(
              Locale.ROOT, "%s is '%s', which is the input; name another file", option, path));
    }
  }

  /** {@return the options that change what is replayed, as they were given} */
  private String settings() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !OF_REPORTS.contains(option.longestName()))
        .map(ReplayCommand::asGiven)
        .collect(Collectors.joining(" "));
  }

  private static String asGiven(OptionSpec option) {
    String name = option.longestName();
    return switch (option.getValue()) {
      case Boolean given when given -> name;
      case Boolean given -> name.replaceFirst("--", "--no-");
      case null, default -> name + " " + String.join(" ", option.originalStringValues());
    };
  }

  private BfcOptions allocatorOptions() {
    if (!growth && expandable) {
      throw usage("--no-growth and --expandable exclude each other: leave one out");
    }
    if (!growth && limit.orElse(Long.MAX_VALUE) == Long.MAX_VALUE) {
      throw usage("--no-growth takes one region of the limit: say --limit BYTES");
    }
    long limitBytes = limit.orElse(Long.MAX_VALUE);
    if (limitBytes < SMALLEST_LIMIT_BYTES) {
      throw usage(
          String.format(
              Locale.ROOT,
              "--limit is %d, expected %d or more bytes",
              limitBytes,
              SMALLEST_LIMIT_BYTES));
    }
    checkPositive("--first-region", firstRegion);
    checkPositive("--max-dead", maxDead);
    BfcOptions base =
        expandable
            ? BfcOptions.expandable().withTrimThreshold(1)
            : growth ? BfcOptions.growing() : BfcOptions.oneRegion(limitBytes);
    BfcOptions options =
        base.withLimit(limitBytes).withFirstRegion(firstRegion).withSplitThreshold(maxDead);
    return garbageCollect ? options.withGarbageCollection() : options;
  }

  private TraceOptions traceOptions() {
    TraceOptions options = TraceOptions.strict().withDevice(device);
    return lenient ? options.withLenience() : options;
  }

  private void checkPositive(String option, long bytes) {
    if (bytes < 1) {
      throw usage(String.format(Locale.ROOT, "%s is %d, expected 1 or more bytes", option, bytes));
    }
  }

  private void noteSkippedEvents(TraceSummary summary, String trace) {
    if (summary.firstLeftOut().isPresent()) {
      diagnostics()
          .note(
              trace,
              String.format(
                  Locale.ROOT,
                  "%d left out, the first at %s",
                  summary.leftOutCount(),
                  summary.firstLeftOut().get()));
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
