package dev.stowage.cli;

import dev.stowage.cli.banks.BankFiles;
import dev.stowage.cli.banks.BankFormat;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankSelection;
import dev.stowage.cli.input.FileInput;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ShapesInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.plan.ShapesRunner;
import dev.stowage.cli.report.PlanFormat;
import dev.stowage.cli.report.ReportFormat;
import dev.stowage.cli.report.ReportFormats;
import dev.stowage.cli.text.RunFacts.Fact;
import dev.stowage.core.plan.AssignmentKind;
import dev.stowage.core.plan.banks.BankedStrategy;
import dev.stowage.core.plan.search.SearchOptions;
import dev.stowage.core.plan.shapes.search.LayoutOptions;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.onnx.OnnxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
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
    footer = {
      "",
      "Examples:",
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
      "  Compare models in one table, or in a script:",
      "    stowage plan *.tflite",
      "    stowage plan *.tflite --format json | jq .lower_bounds.offsets"
    })
final class PlanCommand implements Callable<Integer> {

  /** The default limit of OPTIMAL as one of all strategies. */
  private static final Duration SHORT_LIMIT = Duration.ofSeconds(1);

  /** The default limit of OPTIMAL if it is named. */
  private static final Duration LONG_LIMIT = Duration.ofSeconds(10);

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "The file to plan; - is the standard input.")
  private List<String> files = List.of();

  @Mixin private StrategyOption strategies = new StrategyOption();

  @Option(
      names = "--kind",
      paramLabel = "K",
      description = "offsets (in one arena), objects (shared), or both (default: both).")
  private Kind kind = Kind.both;

  @Option(
      names = "--alignment",
      paramLabel = "N",
      converter = ByteCountConverter.class,
      description = {
        "Every offset is a multiple of N bytes; N is at least 1 (default: 1; 16",
        "with --runtime tflm)."
      })
  private Optional<Long> alignment = Optional.empty();

  @Mixin private ModelOptions model = new ModelOptions();

  @Mixin private RuntimeOption runtime = new RuntimeOption();

  @Option(
      names = "--alias",
      description = {
        "Results of operators that can work in place, such as Add, may take",
        "over the memory of an input of theirs that is not read again; OPTIMAL",
        "decides. In an .onnx model, the results of Reshape, Squeeze,",
        "Unsqueeze, Flatten and Identity always share it. With --runtime tflm,",
        "only RESHAPE and DYNAMIC_UPDATE_SLICE work in place."
      })
  private boolean alias;

  @Mixin private ReorderOption reorder = new ReorderOption();

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Exit with 4 if no plan fits into BYTES, such as 1048576 or 64KiB.",
        "OPTIMAL stops at the first plan that fits. If it finds none, it",
        "searches for the smallest plan. With --runtime tflm, BYTES are those",
        "of the head of the arena."
      })
  private Optional<Long> capacity = Optional.empty();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "Limit of each search of OPTIMAL, which keeps the best plan so far.",
        "Each FILE has one search for offsets and one for objects (default:",
        "10 if --strategy names OPTIMAL or dimensions have ranges, otherwise 1).",
        "It also limits the search of --reorder (default: 10)."
      })
  private Optional<Duration> timeLimit = Optional.empty();

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

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each FILE) or csv (a line for",
        "each plan)."
      })
  private TableJsonCsv.Format format = TableJsonCsv.Format.table;

  @Mixin private PlanOutputs outputs = new PlanOutputs();

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  @Spec private CommandSpec spec;

  private final long startNanos = System.nanoTime();

  private enum Kind {
    offsets,
    objects,
    both
  }

  @Override
  public Integer call() throws IOException {
    if (banks.isGiven()) {
      return planBanks();
    }
    PlanSelection selection = selection();
    Optional<String> withoutShapes = withoutShapes(selection);
    if (model.hasRanges() && withoutShapes.isPresent()) {
      throw usage(withoutShapes.get());
    }
    OutputFiles<PlanReport> planFiles = planFiles(selection);
    InputReader reader = reader(alias);
    ShapesPlanning shapes = shapesPlanning();
    stowage().interruption().expect();
    PlanFormat planFormat =
        switch (format) {
          case table -> ReportFormats.planTable();
          case json -> ReportFormats.planJson();
          case csv -> ReportFormats.planCsv(explain);
        };
    OneShapePlanning oneShape =
        new OneShapePlanning(
            spec,
            selection,
            alternatives(),
            planFormat,
            planFormat.comparesFiles(files.size()),
            planFiles,
            reordering());
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
            });
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
        inputFormat
            .reader(files, onnxOptions(isAliased), stowage().in())
            .withRanges(model.ranges());
    return runtime.reader(reader, files);
  }

  private OnnxOptions onnxOptions(boolean isAliased) {
    return isAliased ? model.toOptions().withAliases() : model.toOptions();
  }

  private Optional<Reordering> reordering() {
    if (!reorder.isReordered()) {
      return Optional.empty();
    }
    if (kind == Kind.objects) {
      throw usage("--reorder compares offsets plans, which --kind objects does not plan");
    }
    SearchOptions search = PlanSelection.search(timeLimit.orElse(LONG_LIMIT));
    return Optional.of(
        new Reordering(
            onnxOptions(alias),
            runtime.micro(),
            new OrderRunner(runtime.alignment(alignment), search, stowage().interruption())));
  }

  /** Plans several banks and {@return the exit code} */
  private int planBanks() {
    banks.check(
        runtime.isMicro(),
        capacity.isPresent() || explain || buckets.isGiven() || kind == Kind.objects,
        reorder.isReordered());
    Set<BankedStrategy> banked = BankPlanning.strategies(strategies.names(), spec);
    if (timeLimit.isPresent() && !banked.contains(BankedStrategy.OPTIMAL)) {
      throw usage("--time-limit limits only OPTIMAL, which --strategy does not name");
    }
    outputs.check(files, true);
    OutputFiles<BankReport> bankFiles =
        OutputFiles.of(
            outputs.paths(), BankFiles::of, ".csv, .json, .html or .h with --bank", spec);
    BankSelection requested =
        new BankSelection(
            banks.banks(), banked, runtime.alignment(alignment), timeLimit.orElse(LONG_LIMIT));
    BankFormat bankFormat =
        switch (format) {
          case table -> BankFormat.table();
          case json -> BankFormat.json();
          case csv -> BankFormat.csv();
        };
    InputReader reader = reader(alias);
    stowage().interruption().expect();
    return new BankPlanning(spec, requested, bankFormat, bankFiles).run(files, reader);
  }

  private PlanSelection selection() {
    if (runtime.isMicro() && kind == Kind.objects) {
      throw usage("--runtime tflm plans offsets in one arena, expected it without --kind objects");
    }
    Set<MemoryStrategy> named = strategies.named();
    boolean all = strategies.isAll();
    Set<AssignmentKind> kinds =
        switch (kind) {
          case offsets -> EnumSet.of(AssignmentKind.OFFSETS);
          case objects -> EnumSet.of(AssignmentKind.OBJECTS);
          case both ->
              runtime.isMicro()
                  ? EnumSet.of(AssignmentKind.OFFSETS)
                  : EnumSet.allOf(AssignmentKind.class);
        };
    for (MemoryStrategy strategy : named) {
      if (kinds.stream().noneMatch(strategy::plans)) {
        throw usage(
            String.format(Locale.ROOT, "--strategy %s has no plans of --kind %s", strategy, kind));
      }
    }
    if (timeLimit.isPresent()
        && !reorder.isReordered()
        && !all
        && !named.contains(MemoryStrategy.OPTIMAL)) {
      throw usage("--time-limit limits only OPTIMAL, which --strategy does not name");
    }
    if (explain && kind == Kind.objects) {
      throw usage("--explain explains offsets, which --kind objects does not plan");
    }
    return new PlanSelection(
        named,
        all,
        kinds,
        runtime.alignment(alignment),
        search(named.contains(MemoryStrategy.OPTIMAL)),
        explain);
  }

  private SearchOptions search(boolean isNamed) {
    SearchOptions options =
        PlanSelection.search(timeLimit.orElse(isNamed ? LONG_LIMIT : SHORT_LIMIT));
    return capacity.isPresent() ? options.withCapacity(capacity.get()) : options;
  }

  private OutputFiles<PlanReport> planFiles(PlanSelection selection) {
    outputs.check(files, false);
    if (!outputs.paths().isEmpty() && kind == Kind.objects) {
      throw usage("--output writes an offsets plan, which --kind objects does not plan");
    }
    List<Fact> facts = new ArrayList<>(model.facts());
    facts.add(new Fact("in place (--alias)", alias ? "yes" : "no"));
    if (runtime.isMicro()) {
      facts.add(new Fact("runtime", "tflm"));
    }
    return outputs.planFiles(new PlanFacts(spec, selection, facts)::of);
  }

  /** {@return the sentence on an option that sizes with ranges of dimensions exclude} */
  private Optional<String> withoutShapes(PlanSelection selection) {
    String option = "";
    if (kind == Kind.objects) {
      option = "--kind objects";
    } else if (selection.named().stream().anyMatch(it -> it != MemoryStrategy.OPTIMAL)) {
      option = "--strategy " + selection.named().iterator().next();
    } else if (capacity.isPresent()) {
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

  private ShapesPlanning shapesPlanning() {
    LayoutOptions options = buckets.layout(timeLimit.orElse(LONG_LIMIT));
    ReportFormat<ShapesReport> shapesFormat =
        switch (format) {
          case table -> ReportFormats.shapesTable();
          case json -> ReportFormats.shapesJson();
          case csv -> ReportFormats.shapesCsv();
        };
    return new ShapesPlanning(
        spec,
        new ShapesRunner(runtime.alignment(alignment), options, stowage().interruption()),
        shapesFormat,
        outputs.shapesFiles());
  }

  private FileInput read(int index, InputReader reader) throws IOException {
    String file = files.get(index);
    try (TerminalProgress _ = progress(index, 0)) {
      FileInput input = stowage().interruption().run(() -> reader.read(file));
      input.file().notes().forEach(note -> diagnostics().note(file, note));
      return input;
    }
  }

  private TerminalProgress progress(int index, int strategyCount) {
    String label =
        files.size() == 1
            ? "Planning"
            : String.format(Locale.ROOT, "Planning %d of %d", index + 1, files.size());
    long elapsedMillis = (System.nanoTime() - startNanos) / 1_000_000;
    return new TerminalProgress(label, strategyCount, elapsedMillis);
  }

  private Stowage stowage() {
    return Stowage.of(spec);
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
