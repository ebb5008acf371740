package dev.stowage.cli.command;

import dev.stowage.cli.conclusion.TuneConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.SecondsConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.option.DeviceLimit;
import dev.stowage.cli.option.NettyEngineOption;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.option.TraceInputOptions;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.report.TuningAnswer;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.tune.TuningInput;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningRequest;
import dev.stowage.cli.tune.TuningRunner;
import dev.stowage.trace.format.TraceOptions;
import dev.stowage.trace.tune.TraceTuning;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage tune}: searches for the settings with which an allocator needs least memory. */
@Command(
    name = "tune",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Finds the settings with which an allocator needs least memory for each TRACE.",
      "The command replays the trace with many settings on a simulated device. The best settings",
      "have the fewest failures and then the smallest peak of reserved bytes. stowage replay --help",
      "lists the formats of traces."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:requests fail under a --limit with all settings"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  With which settings would a training have needed less memory?",
      "    stowage tune snapshot.pickle",
      "  With which settings would it have fitted into 20 GiB?",
      "    stowage tune snapshot.pickle --limit 20GiB",
      "  Which fraction of a GPU with 80 GB does a job of JAX need?",
      "    stowage tune jax.log.gz --limit 80GB"
    })
public final class TuneCommand extends InputCommand {

  @Parameters(arity = "1..*", paramLabel = "TRACE", description = "A trace.")
  private List<String> traces = List.of();

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: bfc (best fit with coalescing), pytorch (PyTorch's",
        "caching allocator), rmm (the pool of RAPIDS Memory Manager), xla (the",
        "allocator of JAX) or netty (a real Netty, for its recordings only). The",
        "default is the one that made the recording, and bfc for other traces."
      })
  private Optional<AllocatorKind> allocator = Optional.empty();

  @Mixin private DeviceLimit limit = new DeviceLimit();

  @Mixin private NettyEngineOption engine = new NettyEngineOption();

  @Option(
      names = "--empty-cache",
      order = ShortHelp.RARE,
      description = {
        "pytorch: release cached memory before the first event, so that the",
        "settings alone determine the segments that are added."
      })
  private boolean emptyCache;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "Limit of the search for each TRACE, which keeps the results so far",
        "(default: no limit)."
      })
  private Optional<Duration> timeLimit = Optional.empty();

  @Mixin private TraceInputOptions input = new TraceInputOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Override
  public Integer call() throws IOException {
    TuningRequest request =
        new TuningRequest(allocator, limit.bytes(), emptyCache, timeLimit, engine.netty());
    TraceOptions options = input.toOptions();
    return newRun(format.printer(), "Tuning", "tuned")
        .run(
            traces,
            (trace, bar) -> {
              TuningInput read = interruption().run(() -> TuningInput.read(trace, options));
              engine.check(request.allocatorOf(read), read.summary().format());
              TraceTuning tuning = request.tuning(read);
              bar.expect(tuning.replayCount());
              TuningReport report =
                  new TuningRunner(
                          request,
                          read,
                          tuning,
                          done -> bar.done(done, "replays with other settings"))
                      .run(interruption());
              return Outcome.of(TuningAnswer.of(report, TuneConclusion.of(report)))
                  .noting(read.summary().notes())
                  .exiting(
                      report.best().result().failures() > 0 ? ExitCode.NO_PLAN : ExitCode.DONE);
            });
  }
}
