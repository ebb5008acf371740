package dev.stowage.cli.command;

import dev.stowage.cli.banks.BankFiles;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankSelection;
import dev.stowage.cli.input.FileInput;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.option.BankOption;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.BucketsOption;
import dev.stowage.cli.option.InputFormatOption;
import dev.stowage.cli.option.JunitOption;
import dev.stowage.cli.option.KindOptions;
import dev.stowage.cli.option.LimitOptions;
import dev.stowage.cli.option.ModelOptions;
import dev.stowage.cli.option.PlanOutputs;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.ReorderOption;
import dev.stowage.cli.option.RuntimeOption;
import dev.stowage.cli.option.StrategyOption;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.ShapesFigures;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.plan.ShapesRunner;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.run.Alternatives;
import dev.stowage.cli.run.BankPlanning;
import dev.stowage.cli.run.BaselineGate;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.JunitRun;
import dev.stowage.cli.run.OneShapePlanning;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.PlanPages;
import dev.stowage.cli.run.Reordering;
import dev.stowage.cli.run.ShapesPlanning;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.console.ExitCode;
import dev.stowage.console.ShortHelp;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.banks.search.BankedStrategy;
import dev.stowage.plan.shapes.search.LayoutOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage plan}: plans the memory of models and problems. */
@Command(
    name = "plan",
    sortOptions = false,
    description =
        "Plans the memory of each FILE: a .tflite or .onnx model, or a .csv or .json problem.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do the tensors of a model need?",
      "    stowage plan model.tflite",
      "  Do they fit into 512 KiB, all offsets aligned to 16 bytes? Exit code 4 says no.",
      "    stowage plan model.tflite --alignment 16 --capacity 512KiB",
      "  If they do not fit, which tensors are the reason?",
      "    stowage plan model.tflite --capacity 512KiB --explain",
      "  Draw the best plan, and write it for a program:",
      "    stowage plan model.tflite --output plan.html --output plan.csv",
      "  One layout for all shapes, and arenas for four parts of them:",
      "    stowage plan problem.json --dim batch=1..32 --buckets 4",
      "  Fail a build if a model needs more memory than before. Exit code 5 says so.",
      "    stowage plan *.tflite --baseline memory.json",
      "  Compare models in one table, or in a script:",
      "    stowage plan *.tflite",
      "    stowage plan *.tflite --format json | jq .lower_bounds.offsets"
    })
public final class PlanCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "The file to plan; - is the standard input.")
  private List<String> files = List.of();

  @Mixin private StrategyOption strategies = new StrategyOption();

  @Mixin private KindOptions kinds = new KindOptions();

  @Mixin private ModelOptions model = new ModelOptions();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Option(
      names = "--alias",
      order = ShortHelp.RARE,
      description = {
        "Results of operators that can work in place, such as Add, may take",
        "over the memory of an input of theirs that is not read again; OPTIMAL",
        "decides. In an .onnx model, the results of Reshape, Squeeze,",
        "Unsqueeze, Flatten and Identity always share it. With --runtime tflm,",
        "only RESHAPE and DYNAMIC_UPDATE_SLICE work in place."
      })
  private boolean alias;

  @Mixin private ReorderOption reorder = new ReorderOption();

  @Mixin private LimitOptions limits = new LimitOptions();

  @Mixin private BucketsOption buckets = new BucketsOption();

  @Mixin private BankOption banks = new BankOption();

  @Option(
      names = "--explain",
      description = {
        "If no plan fits into the capacity, list a few tensors that cannot",
        "fit together. Without a capacity, list tensors that do not fit into",
        "a smaller arena. Then list the operators at which the most bytes are",
        "live, the next lower peak, and the effects of other options."
      })
  private boolean explain;

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Mixin private PlanOutputs outputs = new PlanOutputs();

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Mixin private JunitOption junit = new JunitOption();

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  @Spec private CommandSpec spec;

  private final InputStream in;
  private final Interruption interruption;
  private final long startNanos = System.nanoTime();

  public PlanCommand(InputStream in, Interruption interruption) {
    this.in = in;
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    baseline.check(files, outputs.paths());
    List<String> written = new ArrayList<>(outputs.paths());
    baseline.path().ifPresent(written::add);
    JunitRun run = junit.start(files, written, isTable(), interruption);
    return run.finish(gated(run));
  }

  /** Plans, compares with the baseline or replaces it, and {@return the exit code} */
  private int gated(JunitRun run) throws IOException {
    if (!baseline.isGiven()) {
      return plan(FigureGate.OPEN, run);
    }
    BaselineGate gate;
    try {
      gate =
          baseline.open(
              withOptions(RecordedOptions.forBaseline(baseline.path().orElseThrow())).options(),
              interruption);
    } catch (IOException e) {
      return diagnostics().reportFailure(baseline.path().orElseThrow(), e);
    }
    return gate.finish(plan(gate, run), files.size());
  }

  private int plan(FigureGate gate, JunitRun run) throws IOException {
    if (banks.isGiven()) {
      return planBanks(gate, run);
    }
    PlanSelection selection = selection();
    Optional<String> withoutShapes = withoutShapes(selection);
    if (model.hasRanges() && withoutShapes.isPresent()) {
      throw usage(withoutShapes.get());
    }
    outputs.check(files, false);
    if (!outputs.paths().isEmpty() && kinds.isObjects()) {
      throw usage("--output writes an offsets plan, which --kind objects does not plan");
    }
    PlanFacts facts = new PlanFacts(spec, selection, withOptions(RecordedOptions.forPage()));
    if (files.size() > 1 && !outputs.paths().isEmpty()) {
      try (PlanPages pages =
          new PlanPages(outputs.paths().getFirst(), files.size(), facts::of, spec)) {
        int exitCode = plan(selection, gate, pages.plans(), pages.shapes(), run.and(pages));
        return ExitCode.graver(exitCode, pages.complete());
      }
    }
    return plan(selection, gate, outputs.planFiles(facts::of), outputs.shapesFiles(), run);
  }

  private int plan(
      PlanSelection selection,
      FigureGate gate,
      OutputFiles<PlanReport> planFiles,
      OutputFiles<ShapesReport> shapesFiles,
      EachFile.Listener listener)
      throws IOException {
    Optional<String> withoutShapes = withoutShapes(selection);
    InputReader reader = reader(alias);
    AnswerPrinter printer = format.printer();
    ShapesPlanning shapes = shapesPlanning(printer, gate, shapesFiles);
    interruption.expect();
    OneShapePlanning oneShape =
        new OneShapePlanning(
            spec,
            interruption,
            selection,
            alternatives(),
            printer,
            isTable() && files.size() > 1,
            planFiles,
            reordering(),
            gate);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "planned",
            (index, _) -> {
              FileInput read = read(index, reader);
              if (read instanceof ShapesInput input) {
                if (withoutShapes.isPresent()) {
                  throw new InputRefusedException(withoutShapes.get());
                }
                return shapes.run(input, progress(index, 1));
              }
              if (buckets.isGiven()) {
                throw new InputRefusedException(
                    "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
              }
              return oneShape.run((PlanInput) read, progress(index, selection.strategies().size()));
            },
            listener);
    oneShape.printTogether();
    return exitCode;
  }

  /** {@return the options whose effects are explained} */
  private Alternatives alternatives() {
    Alternatives alternatives = new Alternatives();
    alternatives.add("--alias", alias, reader(!alias));
    runtime
        .withoutScratch(reader(alias))
        .ifPresent(without -> alternatives.add("--scratch", true, without));
    if (!reorder.isReordered()) {
      alternatives.addOrders(onnxOptions(alias), runtime.micro());
    }
    return alternatives;
  }

  private InputReader reader(boolean isAliased) {
    InputReader reader =
        inputFormat.reader(files, onnxOptions(isAliased), in).withDimensions(model.given());
    return runtime.reader(reader, files);
  }

  private OnnxOptions onnxOptions(boolean isAliased) {
    return isAliased ? model.toOptions().withAliases() : model.toOptions();
  }

  private Optional<Reordering> reordering() {
    if (!reorder.isReordered()) {
      return Optional.empty();
    }
    if (kinds.isObjects()) {
      throw usage("--reorder compares offsets plans, which --kind objects does not plan");
    }
    return Optional.of(
        new Reordering(
            onnxOptions(alias),
            runtime.micro(),
            new OrderRunner(kinds.alignment(runtime), limits.orderSearch(), interruption)));
  }

  /** Plans several banks and {@return the exit code} */
  private int planBanks(FigureGate gate, JunitRun run) {
    banks.check(
        runtime.isMicro(),
        limits.capacity().isPresent() || explain || buckets.isGiven() || kinds.isObjects(),
        reorder.isReordered());
    Set<BankedStrategy> banked = BankPlanning.strategies(strategies.names(), spec);
    if (limits.searchLimit().isPresent() && !banked.contains(BankedStrategy.OPTIMAL)) {
      throw usage(withoutSearch());
    }
    outputs.check(files, true);
    OutputFiles<BankReport> bankFiles =
        OutputFiles.of(
            outputs.paths(), BankFiles::of, ".csv, .json, .html or .h with --bank", spec);
    BankSelection requested =
        new BankSelection(
            banks.banks(),
            banked,
            kinds.alignment(runtime),
            limits.withoutCapacity(true, baseline.isGiven()).withThreads(1));
    InputReader reader = reader(alias);
    interruption.expect();
    return new BankPlanning(spec, interruption, requested, format.printer(), bankFiles, gate)
        .run(files, reader, run);
  }

  private PlanSelection selection() {
    Set<MemoryStrategy> named = strategies.named();
    boolean all = strategies.isAll();
    Set<AssignmentKind> planned = kinds.kinds(named, runtime);
    if (limits.searchLimit().isPresent()
        && !reorder.isReordered()
        && !all
        && !named.contains(MemoryStrategy.OPTIMAL)) {
      throw usage(withoutSearch());
    }
    if (explain && kinds.isObjects()) {
      throw usage("--explain explains offsets, which --kind objects does not plan");
    }
    return new PlanSelection(
        named,
        all,
        planned,
        kinds.alignment(runtime),
        limits.search(named.contains(MemoryStrategy.OPTIMAL), baseline.isGiven()),
        explain);
  }

  private String withoutSearch() {
    return limits.searchLimit().orElseThrow()
        + " limits only OPTIMAL, which --strategy does not name";
  }

  /** {@return the sentence on an option that sizes with ranges of dimensions exclude} */
  private Optional<String> withoutShapes(PlanSelection selection) {
    String option = "";
    if (kinds.isObjects()) {
      option = "--kind objects";
    } else if (selection.named().stream().anyMatch(it -> it != MemoryStrategy.OPTIMAL)) {
      option = "--strategy " + selection.named().iterator().next();
    } else if (limits.capacity().isPresent()) {
      option = "--capacity";
    } else if (explain) {
      option = "--explain";
    } else if (reorder.isReordered()) {
      option = "--reorder";
    } else {
      option = outputs.withoutShapes();
    }
    return option.isEmpty()
        ? Optional.empty()
        : Optional.of(
            option
                + " needs one shape, but dimensions have ranges; omit it, or set each dimension to one size");
  }

  private ShapesPlanning shapesPlanning(
      AnswerPrinter printer, FigureGate gate, OutputFiles<ShapesReport> shapesFiles) {
    LayoutOptions options = limits.layout(buckets, baseline.isGiven());
    return new ShapesPlanning(
        spec,
        new ShapesRunner(kinds.alignment(runtime), options, interruption),
        printer,
        shapesFiles,
        (report, recorded) -> ShapesFigures.of(report, recorded, limits.isTimeLimited()),
        gate);
  }

  /** Adds the options that change figures, and {@return the list} */
  private RecordedOptions withOptions(RecordedOptions recorded) {
    kinds.addTo(recorded, runtime);
    recorded.add("--alias", alias);
    banks.addTo(recorded);
    recorded.add("--reorder", reorder.isReordered());
    recorded.add("--strategy", strategies.recorded());
    model.addTo(recorded);
    runtime.addTo(recorded);
    limits.addTo(recorded);
    buckets.addTo(recorded);
    return recorded;
  }

  private FileInput read(int index, InputReader reader) throws IOException {
    String file = files.get(index);
    try (TerminalProgress _ = progress(index, 0)) {
      FileInput input = interruption.run(() -> reader.read(file));
      input.file().notes().forEach(note -> diagnostics().note(file, note));
      return input;
    }
  }

  private boolean isTable() {
    return format.format() == TableJsonCsv.Format.table;
  }

  private TerminalProgress progress(int index, int strategyCount) {
    String label =
        files.size() == 1
            ? "Planning"
            : String.format(Locale.ROOT, "Planning %d of %d", index + 1, files.size());
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    return new TerminalProgress(label, strategyCount, elapsedMillis);
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
