package dev.stowage.examples.training;

import static dev.stowage.examples.training.Operand.read;
import static dev.stowage.examples.training.Operand.written;

import dev.stowage.memory.synced.CopyCounts;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.memory.tensor.TensorShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Two layers with a rectifier between them, their samples, and the mean squared error. */
final class Network implements AutoCloseable {

  private static final int ROWS = 32;
  private static final int INPUTS = 8;
  private static final int HIDDEN = 16;
  private static final int OUTPUTS = 4;
  private static final float RATE = 0.25f;

  private final List<Variable> variables = new ArrayList<>();
  private final Variable target;
  private final Variable loss;
  private final Layer first;
  private final Layer second;

  /**
   * Creates a network with fixed parameters and samples.
   *
   * @param memory makes a buffer of a name and a size
   */
  Network(BiFunction<String, Long, SyncedMemory> memory) {
    Variable input = variable(memory, "input", ROWS, INPUTS);
    Variable hidden = variable(memory, "hidden", ROWS, HIDDEN);
    Variable output = variable(memory, "output", ROWS, OUTPUTS);
    target = variable(memory, "target", ROWS, OUTPUTS);
    loss = variable(memory, "loss", 1);
    first =
        new Layer(
            input,
            variable(memory, "weights1", INPUTS, HIDDEN),
            variable(memory, "bias1", HIDDEN),
            hidden);
    second =
        new Layer(
            hidden,
            variable(memory, "weights2", HIDDEN, OUTPUTS),
            variable(memory, "bias2", OUTPUTS),
            output);
    Random random = new Random(1);
    initializeSamples(random);
    first.initialize(random);
    second.initialize(random);
  }

  private Variable variable(
      BiFunction<String, Long, SyncedMemory> memory, String name, long... dimensions) {
    Variable variable = Variable.of(memory, name, TensorShape.of(dimensions));
    variables.add(variable);
    return variable;
  }

  /** The function to learn: the sums of two inputs, or 0 for negative sums. */
  private void initializeSamples(Random random) {
    Floats inputs = new Floats(first.input().data().mutableSegment());
    Floats targets = new Floats(target.data().mutableSegment());
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < INPUTS; i++) {
        inputs.set(row * INPUTS + i, 2 * random.nextFloat() - 1);
      }
      for (int i = 0; i < OUTPUTS; i++) {
        float sum = inputs.get(row * INPUTS + i) + inputs.get(row * INPUTS + OUTPUTS + i);
        targets.set(row * OUTPUTS + i, Math.max(sum, 0));
      }
    }
  }

  /** {@return the tasks of a training step, in order} */
  List<Task> step() {
    List<Task> tasks = new ArrayList<>();
    Variable hidden = first.output();
    Variable output = second.output();
    float share = 1f / second.outputCount();
    tasks.add(first.forward());
    tasks.add(new Task(Kernel.RELU, first.outputCount(), first.scalars(1), written(hidden.data())));
    tasks.add(second.forward());
    tasks.add(
        new Task(
            Kernel.LOSS,
            1,
            second.scalars(share),
            read(output.data()),
            read(target.data()),
            written(loss.data())));
    tasks.add(
        new Task(
            Kernel.LOSS_GRADIENT,
            second.outputCount(),
            second.scalars(2 * share),
            read(output.data()),
            read(target.data()),
            written(output.diff())));
    tasks.addAll(second.parameterGradients());
    tasks.add(second.inputGradient());
    tasks.add(
        new Task(
            Kernel.RELU_GRADIENT,
            first.outputCount(),
            first.scalars(1),
            read(hidden.data()),
            written(hidden.diff())));
    tasks.addAll(first.parameterGradients());
    tasks.addAll(second.descent(RATE));
    tasks.addAll(first.descent(RATE));
    return tasks;
  }

  /** {@return the loss of the last step, before its parameters changed} */
  float loss() {
    return loss.data().getFloat(0);
  }

  /** {@return the number of copies between the host and devices} */
  long copyCount() {
    return variables.stream()
        .flatMap(each -> Stream.of(each.data(), each.diff()))
        .map(tensor -> tensor.syncedMemory().copies())
        .mapToLong(Network::count)
        .sum();
  }

  private static long count(CopyCounts copies) {
    return copies.toDevices() + copies.toHost();
  }

  @Override
  public void close() {
    variables.forEach(Variable::close);
  }
}
