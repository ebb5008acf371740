package dev.stowage.cli.option;

import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.gate.BaselineKeys;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.OrderedMicro;
import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.cli.plan.Alternative;
import dev.stowage.cli.plan.AssignmentKind;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.run.Usage;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage plan} that determine the plans. */
public final class PlanningOptions {

  private static final int MAX_BUCKETS = 64;

  /** The options that change figures; others have several forms for one value. */
  private static final List<String> RECORDED =
      List.of(
          "--io",
          "--dim",
          "--profile-in",
          "--runtime",
          "--kernels",
          "--scratch",
          "--no-scratch",
          "--head-capacity",
          "--alias",
          "--reorder",
          "--capacity",
          "--time-limit",
          "--buckets",
          "--bank");

  /** The options that have no effect on plans in several memories. */
  private static final List<String> NOT_BANKED =
      List.of("--strategy", "--capacity", "--explain", "--reorder", "--buckets", "--runtime");

  /** The options that need offsets in one arena. */
  private static final List<String> OF_OFFSETS = List.of("--explain", "--reorder", "--runtime");

  @Mixin private StrategyOption strategies = new StrategyOption();

  @Option(
      names = "--kind",
      order = ShortHelp.RARE,
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

  @Option(
      names = "--profile-in",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Take open dimensions and sizes that depend on data from a profile",
        "that ONNX Runtime wrote (SessionOptions.enableProfiling)."
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

  @Option(
      names = "--reorder",
      order = ShortHelp.RARE,
      description = {
        "Search for an order of the operators of a model that needs less",
        "memory, and compare it with that of the file. Operators with side",
        "effects, such as random numbers, keep their order."
      })
  private boolean isReordered;

  @Mixin private LimitOptions limits = new LimitOptions();

  @Option(
      names = "--buckets",
      order = ShortHelp.RARE,
      paramLabel = "K",
      converter = WholeNumberConverter.class,
      description = {
        "With ranges of dimensions: divide the shapes into up to K parts, each",
        "with a plan and an arena of its own (default: 1; at most 64)."
      })
  private Optional<Long> buckets = Optional.empty();

  @Option(
      names = "--bank",
      order = ShortHelp.RARE,
      paramLabel = "BANK",
      converter = BankConverter.class,
      description = {
        "One of several memories, the fastest first, such as",
        "name=sram,bytes=512KiB,alignment=16,cost=1; repeatable. Every tensor",
        "gets a bank and an offset, by the bytes written and read times the",
        "cost of the bank; OPTIMAL then searches in each bank. Without bytes,",
        "a bank has any size."
      })
  private List<MemoryBank> banks = List.of();

  @Option(
      names = "--explain",
      description = {
        "List a few tensors that do not fit together into a smaller arena, or",
        "into the capacity. Then list the operators at which the most bytes are",
        "live, the next lower peak, and the effects of other options."
      })
  private boolean explain;

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  /** The sizes of the profile, once it is read. */
  private Optional<ProfileInput> profiled = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private enum Kind {
    offsets,
    objects,
    both
  }

  /**
   * Reads the profile, if it is given, and takes the dimensions and types of its largest run.
   *
   * @throws IOException if a file is not a profile of the model
   * @throws ParameterException if there is not one model, or if a dimension has a range
   */
  public void readProfile(List<String> files) throws IOException {
    if (profileIn.isEmpty()) {
      return;
    }
    if (model.hasRanges()) {
      throw Usage.error(spec, "--profile-in has single shapes, but --dim sets a range; omit one");
    }
    if (files.size() != 1 || !files.getFirst().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      throw Usage.error(
          spec,
          "--profile-in is the profile of one .onnx model, but FILE is '%s'; plan that model alone",
          String.join(" ", files));
    }
    profiled = Optional.of(ProfileInput.read(files.getFirst(), profileIn.get(), model.toOptions()));
  }

  /** {@return the file of the profile, for messages} */
  public String profilePath() {
    return profileIn.orElse("");
  }

  /** {@return true if several memories are planned} */
  public boolean isBanked() {
    return !banks.isEmpty();
  }

  /** {@return true if no offsets are planned} */
  public boolean isObjects() {
    return kind == Kind.objects;
  }

  /**
   * {@return the most parts of the shapes}
   *
   * @throws ParameterException if the number is out of range
   */
  public int bucketCount() {
    long count = buckets.orElse(1L);
    if (count < 1 || count > MAX_BUCKETS) {
      throw Usage.error(spec, "--buckets is %d, expected 1 to %d", count, MAX_BUCKETS);
    }
    return (int) count;
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
    BankConverter.check(banks, spec);
    Usage.reject(
        spec,
        isObjects() ? List.of("--kind") : NOT_BANKED,
        "has no effect on the plans of several memories (--bank)");
    return new BankRunner(
        banks,
        runtime.alignment(alignment),
        limits.withoutCapacity(false, isRepeatable).withThreads(1),
        interruption);
  }

  /**
   * {@return an input with each of some other options, to explain their effects}
   *
   * @param files all files of the command
   */
  public List<Alternative> alternatives(PlanInput input, List<String> files, InputStream in) {
    String path = input.file().path();
    if (!explain || !input.file().isModel() || !Files.isRegularFile(Path.of(path))) {
      return List.of(); // it cannot be read again
    }
    List<Alternative> alternatives = new ArrayList<>();
    alternatives.add(
        new Alternative("--alias", alias, () -> records(path, reader(files, in, !alias))));
    runtime
        .withoutScratch(reader(files, in, alias))
        .ifPresent(reader ->
            alternatives.add(
                new Alternative(
                    runtime.scratchOptions().getFirst(), true, () -> records(path, reader))));
    if (!isReordered && !model.hasRanges()) {
      alternatives.add(
          new Alternative(
              "--reorder",
              false,
              () ->
                  orderedModel(path)
                      .map(Alternative.Orders::new)
                      .orElseThrow(
                          () -> new MalformedFileException(path, OrderedMicro.FIXED_ORDER))));
    }
    return alternatives;
  }

  private static Alternative.Content records(String path, InputReader reader) throws IOException {
    if (reader.read(path) instanceof PlanInput.Tensors tensors) {
      return new Alternative.Records(tensors.problem());
    }
    throw new MalformedFileException(path, "has textures, expected tensors");
  }

  /** {@return the operators of a model in a file; empty if they keep their order} */
  public Optional<OrderedModel> orderedModel(String file) throws IOException {
    return OrderedModel.read(file, onnxOptions(alias), runtime.micro());
  }

  private InputReader reader(List<String> files, InputStream in, boolean isAliased) {
    InputReader reader =
        inputFormat
            .reader(files, onnxOptions(isAliased), model.given(), in)
            .withRunNotes(profiled.map(ProfileInput::note).stream().toList());
    return runtime.reader(reader, files);
  }

  private OnnxOptions onnxOptions(boolean isAliased) {
    OnnxOptions options = profiled.map(ProfileInput::options).orElseGet(model::toOptions);
    return isAliased ? options.withAliases() : options;
  }

  /**
   * {@return the search for an order of the operators, if requested}
   *
   * @throws ParameterException if options contradict each other
   */
  public Optional<OrderRunner> orders(Interruption interruption) {
    if (!isReordered) {
      return Optional.empty();
    }
    if (model.hasRanges()) {
      throw Usage.error(
          spec, "--reorder needs one shape, but --dim sets a range; expected one of the two");
    }
    return Optional.of(
        new OrderRunner(runtime.alignment(alignment), limits.orderSearch(), interruption));
  }

  /**
   * {@return the requested plans in one arena}
   *
   * @param isRepeatable true if each run must have the same plans
   */
  public PlanSelection selection(boolean isRepeatable) {
    Set<MemoryStrategy> named = strategies.named();
    return new PlanSelection(
        named,
        strategies.isAll(),
        kinds(named),
        runtime.alignment(alignment),
        limits.search(named.contains(MemoryStrategy.OPTIMAL), isRepeatable),
        explain);
  }

  private Set<AssignmentKind> kinds(Set<MemoryStrategy> named) {
    if (isObjects()) {
      Usage.reject(spec, OF_OFFSETS, "needs offsets, which --kind objects does not plan");
    }
    for (MemoryStrategy strategy : named) {
      if (isObjects() && !strategy.plansObjects()) {
        throw Usage.error(
            spec, "--strategy %s has no plans of --kind %s; omit one of the two", strategy, kind);
      }
    }
    return switch (kind) {
      case offsets -> EnumSet.of(AssignmentKind.OFFSETS);
      case objects -> EnumSet.of(AssignmentKind.OBJECTS);
      case both ->
          runtime.isMicro()
              ? EnumSet.of(AssignmentKind.OFFSETS)
              : EnumSet.allOf(AssignmentKind.class);
    };
  }

  /** {@return the options that change figures, by their names} */
  public SortedMap<String, String> recorded(BaselineKeys keys) {
    SortedMap<String, String> recorded = RecordedOptions.of(spec, RECORDED, keys);
    recorded.put("--alignment", String.valueOf(runtime.alignment(alignment)));
    if (kind != Kind.both) {
      recorded.put("--kind", kind.name());
    }
    if (!strategies.recorded().isEmpty()) {
      recorded.put("--strategy", strategies.recorded());
    }
    return recorded;
  }
}
