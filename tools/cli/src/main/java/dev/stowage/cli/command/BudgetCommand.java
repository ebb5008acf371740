package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.BudgetTaskOptions;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.option.TerminalWidth;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.pages.text.RunFacts.Fact;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    exitCodeList = {"4:no shape fits into a --limit", "5:a budget grew against a --baseline"},
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
public final class BudgetCommand implements Callable<Integer> {

  @Parameters(arity = "1..*", paramLabel = "MODEL", description = "An .onnx model.")
  private List<String> files = List.of();

  @Mixin private ServiceOptions service = new ServiceOptions();

  @Mixin private BudgetTaskOptions tasks = new BudgetTaskOptions();

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each shape) or k8s (the",
        "resources of a container)."
      })
  private Format format = Format.table;

  @Mixin private TerminalWidth width = new TerminalWidth();

  private enum Format {
    table,
    json,
    k8s
  }

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Spec private CommandSpec spec;

  private final Interruption interruption;

  public BudgetCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    service.check();
    tasks.check(files, service, baseline);
    BudgetRequest request;
    try {
      request = tasks.request(service);
    } catch (IOException e) {
      Diagnostics.of(spec).report("%s", String.valueOf(e.getMessage()));
      return ExitCode.BAD_INPUT;
    }
    return budget(request);
  }

  private int budget(BudgetRequest request) throws IOException {
    interruption.expect();
    AnswerPrinter.Format answers =
        format == Format.json ? AnswerPrinter.Format.JSON : AnswerPrinter.Format.TABLE;
    AnswerPrinter printer = new AnswerPrinter(answers, width.columns());
    BudgetRun budget =
        new BudgetRun(spec, interruption, tasks, request, printer, format == Format.k8s);
    List<Fact> facts = service.addTo(RecordedOptions.forPage()).facts();
    int exitCode =
        baseline.gated(
            service::addTo,
            BudgetFigures.TOLERANCE,
            files.size(),
            interruption,
            gate -> budget.run(files, gate, facts));
    if (format == Format.table) {
      budget.next();
    }
    return exitCode;
  }
}
