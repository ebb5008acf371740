package dev.stowage.cli.command;

import dev.stowage.budget.ModelBudget;
import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.conclusion.BudgetConclusion;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.report.BudgetKubernetes;
import dev.stowage.cli.run.BaselineGate;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage budget}: measures the memory of a service that runs a model. */
@Command(
    name = "budget",
    sortOptions = false,
    description = {
      "Measures the memory of a service that runs each MODEL, and prints the limit to set.",
      "Child processes run the model in the engine of the service, with its options and as many",
      "requests at a time. The figure holds for this kind of machine."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "4:no shape is known to fit into a --limit",
      "5:a budget grew against a --baseline"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory does a service with eight requests at a time need?",
      "    stowage budget model.onnx --dim batch=1..64 --dim seq=16,128,512 --concurrent 8",
      "  What is the largest batch in a container of 2 GiB with a heap of 512 MiB?",
      "    stowage budget model.onnx --dim batch=1..64 --jvm-heap 512MiB --limit 2GiB --fit batch",
      "  Which settings need less?",
      "    stowage budget model.onnx --dim batch=1..64 --remedies",
      "  Fail a build if a service needs more memory than before:",
      "    stowage budget model.onnx --dim batch=1..64 --baseline memory.json"
    })
public final class BudgetCommand extends InputCommand {

  @Parameters(arity = "1..*", paramLabel = "MODEL", description = "An .onnx model.")
  private List<String> files = List.of();

  @Mixin private ServiceOptions service = new ServiceOptions();

  @Option(
      names = {"--limit", "--capacity"},
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Show which shapes need at most BYTES, such as 2GiB. Exit with 4 if",
        "none does."
      })
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--fit",
      paramLabel = "NAME",
      description = {
        "With --limit: measure the largest size of a dimension with a range",
        "that fits."
      })
  private Optional<String> fit = Optional.empty();

  @Option(
      names = "--remedies",
      description = {
        "Also measure the load with settings that may need less: without the",
        "arena, with shrinking, with Stowage's allocator and others."
      })
  private boolean remedies;

  @Option(
      names = "--profile",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Write the samples to FILE, for programs (ModelBudget.parse); one",
        "MODEL only."
      })
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with the parts and the curve over the shapes;",
        "one MODEL only."
      })
  private Optional<String> output = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each shape) or k8s (the",
        "resources of a container)."
      })
  private Format format = Format.table;

  @Mixin private BaselineGate baseline = new BaselineGate();

  private enum Format {
    table,
    json,
    k8s
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    BudgetRequest request;
    try {
      request = service.request(limit, new BudgetRequest.Tasks(remedies, fit, profile.isPresent()));
    } catch (IOException e) {
      String file = e instanceof FileSystemException other ? String.valueOf(other.getFile()) : "";
      if (file.isEmpty()) {
        Diagnostics.of(spec).report("%s", String.valueOf(e.getMessage()));
        return ExitCode.BAD_INPUT;
      }
      return Diagnostics.of(spec).reportFailure(file, e);
    }
    Optional<PageOutput> page = output.map(path -> new PageOutput(path, spec));
    AnswerPrinter printer =
        AnswerPrinter.of(
            format == Format.json ? AnswerPrinter.Format.JSON : AnswerPrinter.Format.TABLE);
    return baseline.gated(
        service::recorded,
        BudgetFigures.TOLERANCE,
        files.size(),
        interruption(),
        () ->
            newRun(printer, "Measuring", "measured")
                .withGate(baseline)
                .run(files, (file, progress) -> outcome(measure(file, request, progress), page)));
  }

  private BudgetReport measure(String file, BudgetRequest request, TerminalProgress progress)
      throws IOException {
    return interruption()
        .run(() ->
            BudgetRunner.run(
                request, file, step -> progress.phase(step + "; " + request.duration())));
  }

  private Outcome outcome(BudgetReport report, Optional<PageOutput> page) {
    Set<String> changing = new HashSet<>(ServiceOptions.RECORDED);
    changing.addAll(Set.of("--engine", "--limit"));
    Conclusion conclusion = BudgetConclusion.of(report, CommandLineWords.words(spec, changing));
    List<Answer> answers = BudgetAnswer.of(report, conclusion);
    boolean isNext = !report.input().equals(files.getFirst());
    Outcome outcome =
        Outcome.of(format == Format.k8s ? List.of(BudgetKubernetes.of(report, isNext)) : answers)
            .gating(() -> BudgetFigures.of(report));
    Optional<ModelBudget> samples = report.more().samples();
    if (profile.isPresent() && samples.isPresent()) {
      outcome.writing(() ->
          Diagnostics.of(spec).write(profile.get(), out -> out.write(samples.get().toText())));
    }
    page.ifPresent(it -> outcome.writing(() -> it.write(answers.getFirst(), List.of())));
    if (!report.fits()) {
      outcome.failing(
          ExitCode.NO_PLAN,
          Text.of(
              "no shape is known to fit into the limit of %s; the smallest needs at least %s: raise --limit, lower --concurrent or --sessions, or find the largest size with --fit",
              ByteUnit.sentence(limit.orElseThrow()),
              ByteUnit.human(report.curve().getFirst().limitBytes())));
    }
    return format == Format.table && files.size() == 1 ? outcome.leadingTo(conclusion) : outcome;
  }

  private void checkOptions() {
    service.check();
    if (fit.isPresent() && limit.isEmpty()) {
      throw Usage.error(spec, "--fit needs --limit, expected both");
    }
    if (fit.isPresent() && !service.hasRange(fit.get())) {
      throw Usage.error(
          spec,
          "--fit names '%s', expected a dimension to which --dim gives a range, such as %s=1..64",
          fit.get(),
          fit.get());
    }
    if (files.size() > 1 && (profile.isPresent() || output.isPresent())) {
      throw Usage.error(
          spec,
          "%s has one MODEL, but there are %d, expected 1",
          profile.isPresent() ? "--profile" : "--output",
          files.size());
    }
    OutputPaths paths = new OutputPaths(spec, files);
    profile.ifPresent(path -> paths.add("--profile", path, List.of()));
    output.ifPresent(path -> paths.add("--output", path, List.of(".html")));
    baseline.check(files, paths);
  }
}
