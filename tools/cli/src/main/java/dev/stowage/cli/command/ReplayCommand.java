package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.option.AllocatorOptions;
import dev.stowage.cli.option.ExplanationOptions;
import dev.stowage.cli.option.ReplayOutputOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.ReplayRunner;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.FolderFiles;
import dev.stowage.cli.run.ReplayOutputs;
import dev.stowage.cli.run.TraceFiles;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.format.TraceOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      "  a memory snapshot of PyTorch (.pickle, or as JSON), or a raw memory timeline of its profiler",
      "  a recording of JDK Flight Recorder (.jfr) with the events of Stowage's or Netty's allocators",
      "  a log of XLA's BFC allocator or of RAPIDS Memory Manager"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:requests fail under a --limit, or as in the recording"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory would the allocator reserve for a program?",
      "    stowage replay trace.csv.gz",
      "  Would all requests fit into one region of 4 GiB?",
      "    stowage replay trace.csv.gz --no-growth --limit 4GiB",
      "  Where are the chunks over time, and which code allocated them?",
      "    stowage replay snapshot.pickle --output replay.html",
      "  How does the replay look in PyTorch's viewer of memory snapshots?",
      "    stowage replay trace.csv --output replay.pickle",
      "  Would PyTorch have needed less memory with other settings?",
      "    stowage replay snapshot.pickle --settings max_split_size_mb:128",
      "  How much memory would JAX reserve without preallocation?",
      "    stowage replay jax.log.gz --settings XLA_PYTHON_CLIENT_PREALLOCATE=false",
      "  How much memory do all recordings in a folder need, with two settings?",
      "    stowage replay recordings/ --settings max_split_size_mb:128 \\",
      "        --settings expandable_segments:True",
      "  Which lines of code hold the memory at the peak?",
      "    stowage replay snapshot.pickle --explain",
      "  Which offset does each request get?",
      "    stowage replay trace.csv --placements placements.csv --format json"
    })
public final class ReplayCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "TRACE",
      description = {
        "A trace, or a folder with traces, also in subfolders. Several traces",
        "give one table with a line for each."
      })
  private List<String> traces = List.of();

  @Mixin private AllocatorOptions allocatorOptions = new AllocatorOptions();

  @Option(
      names = "--allow-failures",
      order = ShortHelp.RARE,
      description = "Exit with 0 instead of 4 if requests fail.")
  private boolean allowFailures;

  @Mixin private ExplanationOptions explanation = new ExplanationOptions();

  @Mixin private ReplayOutputOptions files = new ReplayOutputOptions();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  public ReplayCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    List<AllocatorChoice> allocators = allocatorOptions.toAllocators();
    TraceOptions traceOptions = input.toOptions();
    boolean isOne =
        traces.size() == 1 && allocators.size() == 1 && !FolderFiles.isFolder(traces.getFirst());
    ReplayFacts facts = new ReplayFacts(spec, input, allocatorOptions);
    ReplayOutputs outputs =
        files.outputs(traces, allocators.size(), isOne, allocatorOptions.limitBytes(), facts::of);
    allocatorOptions.notes().forEach(note -> Diagnostics.of(spec).report("note: " + note));
    if (explanation.isGiven() && format.isCsv()) {
      throw Usage.error(spec, "--explain prints tables or JSON, but --format is csv");
    }
    int exitCode = outputs.create();
    if (exitCode != ExitCode.DONE) {
      return exitCode;
    }
    interruption.expect();
    ReplayRun run =
        new ReplayRun(
            spec,
            interruption,
            format.printer(),
            !isOne && !explanation.isGiven() && format.isTable(),
            allocatorOptions.isLimited(),
            allowFailures,
            facts,
            outputs);
    return run.run(
        TraceFiles.of(traces, traceOptions, Diagnostics.of(spec)),
        allocators.stream()
            .map(allocator -> runner(allocator, outputs.drawsPages(), isOne))
            .toList());
  }

  private ReplayRunner runner(AllocatorChoice allocator, boolean keepsHistory, boolean isOne) {
    ReplayRunner runner =
        new ReplayRunner(
            input.toOptions(),
            allocator,
            files.writesPlacements(),
            keepsHistory,
            isOne && (keepsHistory || format.isTable()));
    return explanation.isGiven() ? runner.explaining(explanation.event()) : runner;
  }
}
