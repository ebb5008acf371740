package dev.stowage.tflite.micro;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.tflite.offline.OfflinePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The tensor arena of a model in TensorFlow Lite Micro.
 *
 * <p>The head of the arena contains the tensors that the executed subgraphs use: the main subgraph,
 * and the subgraphs that {@code IF}, {@code WHILE} and {@code CALL_ONCE} call. It also contains the
 * scratch buffers of operators. Tensors of other subgraphs are in the head, too, all at the same
 * time, unless an offline plan places them. The tail contains memory that is kept between runs,
 * such as variables.
 */
public final class MicroArena {

  /** The alignment of all sizes and offsets, in bytes. */
  public static final long ALIGNMENT_BYTES = MicroAlignment.BYTES;

  private final MicroModel model;

  /** The operators of the main subgraph, without scratch buffers. */
  private final Optional<MicroOperators> operators;

  /** The scratch buffers, without the buffers of compressed constants. */
  private final List<ScratchBuffer> scratchBuffers;

  private final MicroScratch scratch;

  /** The kernels that determine the scratch buffers; empty if a caller set the buffers. */
  private final Optional<EspNn> kernels;

  /** True if results of operators that work in place may share the memory of their input. */
  private final boolean isInPlaceUsed;

  MicroArena(MicroModel model, Optional<MicroOperators> operators) {
    this(model, operators, List.of(), Optional.empty(), false);
  }

  private MicroArena(
      MicroModel model,
      Optional<MicroOperators> operators,
      List<ScratchBuffer> scratchBuffers,
      Optional<EspNn> kernels,
      boolean isInPlaceUsed) {
    this.model = model;
    this.operators = operators;
    this.scratchBuffers = List.copyOf(scratchBuffers);
    this.kernels = kernels;
    scratch = MicroScratch.merged(this.scratchBuffers, model.decompression());
    this.isInPlaceUsed = isInPlaceUsed;
  }

  /**
   * {@return this arena; results in its {@linkplain #problem() problem} may be in place of an
   * input}
   *
   * <p>These are the results of the operators {@code RESHAPE} and {@code DYNAMIC_UPDATE_SLICE}. The
   * result and the input have the same number of bytes, and no later operator uses the input.
   */
  public MicroArena withInPlace() {
    return new MicroArena(model, operators, scratchBuffers, kernels, true);
  }

  /** {@return true if results may be in place of an input} */
  public boolean isInPlace() {
    return isInPlaceUsed;
  }

  /**
   * {@return this arena with the scratch buffers of all operators}
   *
   * <p>Without them, the arena has the buffers for constants that kernels decompress, because their
   * sizes follow from the model. They may be among {@code buffers}, even with a place in the memory
   * of the application.
   *
   * @param buffers all scratch buffers; the buffers of one operator in the order of its requests
   * @throws IllegalArgumentException if an operator does not exist
   */
  public MicroArena withScratch(List<ScratchBuffer> buffers) {
    buffers.forEach(model.lifetimes()::checkOperator);
    return new MicroArena(model, operators, buffers, Optional.empty(), isInPlaceUsed);
  }

  /**
   * {@return this arena with the scratch buffers that the kernels of esp-tflite-micro request}
   *
   * @param releases one or more releases of ESP-NN; the release with the largest {@linkplain
   *     #bytes() arena} counts, the last of equal ones
   */
  public MicroArena withKernels(List<EspNn> releases) {
    return releases.stream()
        .map(release ->
            new MicroArena(
                model,
                operators,
                model.kernels().scratch(release),
                Optional.of(release),
                isInPlaceUsed))
        .reduce((largest, next) -> next.bytes() >= largest.bytes() ? next : largest)
        .orElseThrow();
  }

  /** {@return the kernels of {@link #withKernels}; empty without them} */
  public Optional<EspNn> kernels() {
    return kernels;
  }

  /** {@return the bytes of the arena of the model as it is, with its own plan if it has one} */
  public long bytes() {
    Optional<OfflinePlan> plan = filePlan().filter(OfflinePlan::hasOffsets);
    return tail(plan).arenaBytes(headBytes(plan));
  }

  /** {@return the buffers of {@link #withScratch}; empty without them} */
  public List<ScratchBuffer> scratchBuffers() {
    return scratchBuffers;
  }

  private List<MicroTensor> scratchTensors() {
    return scratch.tensors(model.lifetimes());
  }

  /**
   * {@return the tensors that an offline plan should place, in the order of the problem's records}
   *
   * <p>Variables are not among them: without an offset, they are in the tail.
   */
  public List<MicroTensor> plannedTensors() {
    return model.tensors().inMemory().stream()
        .filter(tensor -> tensor.isUsed() && !tensor.isVariable())
        .toList();
  }

  /** {@return the tensors in the head that no executed subgraph uses} */
  public List<MicroTensor> unusedTensors() {
    return model.tensors().inMemory().stream()
        .filter(tensor -> !tensor.isUsed() && !tensor.isVariable())
        .toList();
  }

  public long unusedBytes() {
    return unusedTensors().stream().mapToLong(MicroTensor::bytes).sum();
  }

  /** {@return the tensors that keep their values until the next run} */
  public List<MicroTensor> variables() {
    return model.tensors().inMemory().stream().filter(MicroTensor::isVariable).toList();
  }

  /**
   * {@return the tail of the arena}
   *
   * @param plan the plan in the model, if it has one
   */
  public ArenaTail tail(Optional<OfflinePlan> plan) {
    return ArenaTail.of(model, scratch.requests().size(), plan);
  }

  /** {@return the operators with kernels that usually request scratch buffers} */
  public ScratchOperators scratchOperators() {
    return model.kernels().scratchOperators();
  }

  /** {@return the scratch buffers that the reference kernels of builtin operators request} */
  public List<ScratchBuffer> referenceScratch() {
    return model.kernels().referenceScratch();
  }

  /** {@return true if the arena has scratch buffers} */
  public boolean hasScratch() {
    return !scratch.requests().isEmpty();
  }

  /** {@return the bytes of the variables, which are in the tail unless a plan places them} */
  public long variableBytes() {
    return variables().stream().mapToLong(MicroTensor::bytes).sum();
  }

  /**
   * {@return the planned tensors and then the scratch buffers that are used, as a problem; task k
   * is scope k of {@link #scopeLabels()}}
   */
  public PlanProblem problem() {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (MicroTensor buffer : plannedBuffers()) {
      records.add(buffer.record(Math.max(0, buffer.lifetime().first()), buffer.lifetime().last()));
    }
    PlanProblem problem = PlanProblem.of(records).withAlignment(ALIGNMENT_BYTES);
    return isInPlaceUsed
        ? problem.withInPlace(MicroInPlace.pairs(model.inPlace(), plannedTensors()))
        : problem;
  }

  /** {@return {@link #problem()} without scratch buffers, with any alignment} */
  public PlanProblem tensorsAlone(PlanProblem problem) {
    return problem.subset(IntStream.range(0, plannedTensors().size()).boxed().toList());
  }

  /**
   * {@return the tensors and scratch buffers of the records of {@link #problem()}; a scratch buffer
   * has the index -1}
   */
  public List<MicroTensor> plannedBuffers() {
    return Stream.concat(
            plannedTensors().stream(), scratchTensors().stream().filter(MicroTensor::isUsed))
        .toList();
  }

  /**
   * {@return the problem that TensorFlow Lite Micro solves when it starts; the answer is the head}
   *
   * <p>Its records are pinned to the offsets of the plan, and include the unused tensors and the
   * handles of variables. Task 0 is the time before scope 0; all unused tensors exist then. {@link
   * dev.stowage.plan.strategy.MemoryStrategy#TFLM_GREEDY} places the records that have no pins as
   * TensorFlow Lite Micro does.
   *
   * @param plan the plan in the model, if it has one
   */
  public PlanProblem atRunTime(Optional<OfflinePlan> plan) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (MicroTensor tensor : tensorsAtRunTime(plan)) {
      OptionalLong offset = offset(tensor, plan);
      TensorUsageRecord record = tensor.recordFromScopeBeforeAll();
      records.add(offset.isPresent() ? record.pinnedAt(offset.getAsLong()) : record);
    }
    scratchTensors().forEach(buffer -> records.add(buffer.recordFromScopeBeforeAll()));
    return PlanProblem.of(records);
  }

  /** {@return the tensors of the first records of {@link #atRunTime}} */
  private List<MicroTensor> tensorsAtRunTime(Optional<OfflinePlan> plan) {
    return Stream.concat(model.tensors().inMemory().stream(), model.tensors().handles().stream())
        .sorted(Comparator.comparingInt(tensor -> tensor.id().planIndex()))
        .filter(tensor -> !tensor.isVariable() || offset(tensor, plan).isPresent())
        .toList();
  }

  private static OptionalLong offset(MicroTensor tensor, Optional<OfflinePlan> plan) {
    return plan.isPresent() ? plan.get().offset(tensor.id().planIndex()) : OptionalLong.empty();
  }

  /**
   * {@return the bytes of the head that TensorFlow Lite Micro needs, with the tensors that it
   * places itself}
   *
   * @param plan the plan in the model, if it has one
   */
  public long headBytes(Optional<OfflinePlan> plan) {
    return MemoryStrategy.TFLM_GREEDY.planOffsets(atRunTime(plan)).totalBytes();
  }

  /**
   * {@return the offline plan of a plan of {@link #problem()}, with the unused tensors at offset 0}
   *
   * @param plan the offsets
   * @throws ArithmeticException if an offset exceeds 2^31 - 1, the largest one of an offline plan
   */
  public OfflinePlan toOfflinePlan(OffsetsAssignment plan) {
    int[] offsets = offsetsAtRunTime();
    unusedTensors().forEach(tensor -> offsets[tensor.id().planIndex()] = 0);
    List<MicroTensor> planned = plannedTensors();
    for (int i = 0; i < planned.size(); i++) {
      offsets[planned.get(i).id().planIndex()] = Math.toIntExact(plan.offset(i));
    }
    return OfflinePlan.of(offsets);
  }

  /**
   * {@return the buffers of TensorFlow Lite Micro's planner for a model, in the planner's order,
   * each at its offset}
   *
   * @param plan the plan in the model, if it has one
   */
  public List<TensorUsageRecord> runTimeBuffers(Optional<OfflinePlan> plan) {
    OffsetsAssignment offsets = MemoryStrategy.TFLM_GREEDY.planOffsets(atRunTime(plan));
    List<MicroTensor> buffers =
        Stream.concat(tensorsAtRunTime(plan).stream(), scratchTensors().stream()).toList();
    return IntStream.range(0, buffers.size())
        .mapToObj(i -> buffers.get(i).placedAt(offsets.offset(i)))
        .toList();
  }

  /** {@return an offline plan that leaves all tensors to TensorFlow Lite Micro} */
  public OfflinePlan noOffsets() {
    return OfflinePlan.of(offsetsAtRunTime());
  }

  private int[] offsetsAtRunTime() {
    int[] offsets = new int[tensorCount()];
    Arrays.fill(offsets, OfflinePlan.AT_RUN_TIME);
    return offsets;
  }

  /**
   * {@return the tensors that a plan places, as a problem without pins}
   *
   * @param plan the plan
   */
  public PlacedTensors placed(OfflinePlan plan) {
    return PlacedTensors.of(model, plan);
  }

  /** {@return the plan in the model, if it has one} */
  public Optional<OfflinePlan> filePlan() {
    return model.filePlan();
  }

  /** {@return the number of tensors of all subgraphs; a plan has as many offsets} */
  public int tensorCount() {
    return model.lifetimes().tensorCount();
  }

  /** {@return the number of subgraphs} */
  public int subgraphCount() {
    return model.lifetimes().subgraphCount();
  }

  /** {@return the name of each scope, such as {@code CONV_2D 12}} */
  public List<String> scopeLabels() {
    return model.lifetimes().scopeLabels();
  }

  /**
   * {@return the operators of the main subgraph; their smallest load is a lower bound for all
   * orders. Empty if two operators call the same subgraph: their order then cannot change}
   */
  public Optional<MicroOperators> operators() {
    return isInPlaceUsed
        ? operatorsWithScratch().map(of -> InPlaceGraph.possible(of, mainInPlace()))
        : operatorsWithScratch();
  }

  private Optional<MicroOperators> operatorsWithScratch() {
    return operators.map(of -> of.withScratch(scratch.buffers()));
  }

  /**
   * {@return further graphs of the same operators, if some may work in place. A search over these
   * graphs can find better orders than a search over {@link #operators()}}
   */
  public List<MicroOperators> furtherOperators() {
    Optional<MicroOperators> all = operatorsWithScratch();
    return !isInPlaceUsed || all.isEmpty() || mainInPlace().isEmpty()
        ? List.of()
        : List.of(InPlaceGraph.inGivenOrder(all.get(), mainInPlace()), all.get());
  }

  /**
   * {@return the operators of the main subgraph in an order of {@link #operators()}, by their
   * indices}
   *
   * <p>If an operator decodes constants for one reader only, it is directly in front of this
   * reader. TensorFlow Lite Micro requires this if the application has memory for decompression. No
   * order needs more memory because of this.
   *
   * @param graphOrder the operators of the graph, in their new order
   */
  public List<Integer> fileOrder(List<Integer> graphOrder) {
    // Operator 0 of the graph is the caller.
    return model
        .decodeOrder()
        .arrange(graphOrder.stream().filter(k -> k > 0).map(k -> k - 1).toList());
  }

  /** {@return the operators of the main subgraph that may work in place} */
  private List<MicroInPlace> mainInPlace() {
    return model.inPlace().stream().filter(it -> it.result().id().subgraph() == 0).toList();
  }

  /** {@return the number of constants that are decompressed while the model runs} */
  public int decompressedCount() {
    return model.decompression().count();
  }

  /**
   * {@return sentences on tensors that are not planned, and on constants that the interpreter
   * cannot decompress}
   */
  public List<String> notes() {
    return Stream.concat(model.tensors().notes().stream(), model.decompression().notes().stream())
        .toList();
  }
}
