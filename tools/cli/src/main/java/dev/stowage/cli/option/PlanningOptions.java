package dev.stowage.cli.option;

import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.run.Alternatives;
import dev.stowage.cli.run.Reordering;
import dev.stowage.cli.run.Usage;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage plan} that determine the plans. */
public final class PlanningOptions {

  @Mixin private StrategyOption strategies = new StrategyOption();

  @Mixin private KindOptions kinds = new KindOptions();

  @Mixin private ModelOptions model = new ModelOptions();

  @Option(
      names = "--profile-in",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Take open dimensions and sizes that depend on data from a profile",
        "that ONNX Runtime wrote for the .onnx model (session option",
        "enable_profiling)."
      })
  private Optional<String> profileIn = Optional.empty();

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
        "List a few tensors that do not fit together into a smaller arena, or",
        "into the capacity. Then list the operators at which the most bytes are",
        "live, the next lower peak, and the effects of other options."
      })
  private boolean explain;

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private Optional<ProfileInput> profiled = Optional.empty();

  /**
   * Reads the profile, if it is given, and the dimensions and types of its largest run.
   *
   * @throws IOException if a file is not a profile of the model
   * @throws ParameterException if options contradict each other
   */
  public void readProfile(List<String> files) throws IOException {
    if (profileIn.isEmpty()) {
      return;
    }
    if (model.hasRanges()) {
      throw Usage.error(spec, "--profile-in has single shapes, but --dim sets a range; omit one");
    }
    if (files.size() != 1 || !files.getFirst().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      throw Usage.error(spec, "--profile-in is the profile of a session, expected one .onnx model");
    }
    profiled = Optional.of(ProfileInput.read(files.getFirst(), profileIn.get(), model.toOptions()));
  }

  /** {@return the file of the profile, for messages} */
  public String profilePath() {
    return profileIn.orElse("");
  }

  /** {@return true if several memories are planned} */
  public boolean isBanked() {
    return banks.isGiven();
  }

  /** {@return true if no offsets are planned} */
  public boolean isObjects() {
    return kinds.isObjects();
  }

  /** {@return the most parts of the shapes} */
  public int bucketCount() {
    return buckets.count();
  }

  /** {@return the reader of inputs} */
  public InputReader reader(List<String> files, InputStream in) {
    return reader(files, in, alias);
  }

  /**
   * {@return the planner of several memories}
   *
   * @throws ParameterException if options contradict each other
   */
  public BankRunner bankRunner(boolean isRepeatable, Interruption interruption) {
    banks.check(
        limits.capacity().isPresent()
            || explain
            || buckets.isGiven()
            || kinds.isObjects()
            || !strategies.recorded().isEmpty()
            || reorder.isReordered()
            || runtime.isMicro());
    return new BankRunner(
        banks.banks(),
        kinds.alignment(runtime),
        limits.withoutCapacity(false, isRepeatable).withThreads(1),
        interruption);
  }

  /** {@return the options whose effects are explained} */
  public Alternatives alternatives(List<String> files, InputStream in) {
    Alternatives alternatives = new Alternatives();
    alternatives.add("--alias", alias, reader(files, in, !alias));
    runtime
        .withoutScratch(reader(files, in, alias))
        .ifPresent(without -> alternatives.add(runtime.scratchOptions().getFirst(), true, without));
    if (!reorder.isReordered() && !model.hasRanges()) {
      alternatives.addOrders(onnxOptions(alias), runtime.micro());
    }
    return alternatives;
  }

  private InputReader reader(List<String> files, InputStream in, boolean isAliased) {
    InputReader reader =
        inputFormat
            .reader(files, onnxOptions(isAliased), in)
            .withDimensions(model.given())
            .withRunNotes(profiled.map(ProfileInput::note).stream().toList());
    return runtime.reader(reader, files);
  }

  private OnnxOptions onnxOptions(boolean isAliased) {
    OnnxOptions options = profiled.map(ProfileInput::options).orElseGet(model::toOptions);
    return isAliased ? options.withAliases() : options;
  }

  /** {@return the comparison of orders, if requested} */
  public Optional<Reordering> reordering(Interruption interruption) {
    if (!reorder.isReordered()) {
      return Optional.empty();
    }
    if (model.hasRanges()) {
      throw Usage.error(
          spec, "--reorder needs one shape, but --dim sets a range; expected one of the two");
    }
    if (kinds.isObjects()) {
      throw Usage.error(
          spec, "--reorder compares offsets plans, which --kind objects does not plan");
    }
    return Optional.of(
        new Reordering(
            onnxOptions(alias),
            runtime.micro(),
            new OrderRunner(kinds.alignment(runtime), limits.orderSearch(), interruption)));
  }

  /**
   * {@return the requested plans in one arena}
   *
   * @param isRepeatable true if each run must have the same plans
   */
  public PlanSelection selection(boolean isRepeatable) {
    Set<MemoryStrategy> named = strategies.named();
    boolean all = strategies.isAll();
    Set<AssignmentKind> planned = kinds.kinds(named, runtime);
    if (limits.searchLimit().isPresent()
        && !reorder.isReordered()
        && !all
        && !named.contains(MemoryStrategy.OPTIMAL)) {
      throw Usage.error(spec, withoutSearch());
    }
    if (explain && kinds.isObjects()) {
      throw Usage.error(spec, "--explain explains offsets, which --kind objects does not plan");
    }
    return new PlanSelection(
        named,
        all,
        planned,
        kinds.alignment(runtime),
        limits.search(named.contains(MemoryStrategy.OPTIMAL), isRepeatable),
        explain);
  }

  private String withoutSearch() {
    return limits.searchLimit().orElseThrow()
        + " limits only OPTIMAL, which --strategy does not name";
  }

  /** Adds the options that change figures, and {@return the list} */
  public RecordedOptions withOptions(RecordedOptions recorded) {
    kinds.addTo(recorded, runtime);
    recorded.add("--alias", alias);
    banks.addTo(recorded);
    recorded.add("--reorder", reorder.isReordered());
    recorded.add("--strategy", strategies.recorded());
    model.addTo(recorded);
    profileIn.ifPresent(path -> recorded.addPath("--profile-in", path));
    runtime.addTo(recorded);
    limits.addTo(recorded);
    buckets.addTo(recorded);
    return recorded;
  }
}
