package dev.stowage.examples.training;

import static dev.stowage.examples.training.Operand.read;
import static dev.stowage.examples.training.Operand.written;

import java.util.List;
import java.util.Random;

/**
 * A fully connected layer: {@code output = input weights + bias}.
 *
 * @param input the inputs, a row for each sample
 * @param weights a row for each input, a column for each output
 * @param bias an element for each output
 * @param output the outputs, a row for each sample
 */
record Layer(Variable input, Variable weights, Variable bias, Variable output) {

  private int rows() {
    return Math.toIntExact(input.shape().dimensions().getFirst());
  }

  private int inputs() {
    return Math.toIntExact(weights.shape().dimensions().getFirst());
  }

  private int outputs() {
    return Math.toIntExact(weights.shape().dimensions().getLast());
  }

  Scalars scalars(float factor) {
    return new Scalars(rows(), inputs(), outputs(), factor);
  }

  int outputCount() {
    return rows() * outputs();
  }

  /** Sets the weights to small random numbers; the bias is zero. */
  void initialize(Random random) {
    Floats floats = new Floats(weights.data().mutableSegment());
    float scale = 1f / inputs();
    for (int i = 0; i < inputs() * outputs(); i++) {
      floats.set(i, scale * (2 * random.nextFloat() - 1));
    }
  }

  Task forward() {
    return new Task(
        Kernel.AFFINE,
        outputCount(),
        scalars(1),
        read(input.data()),
        read(weights.data()),
        read(bias.data()),
        written(output.data()));
  }

  /** {@return the tasks for the gradients of the parameters, from the gradient of the output} */
  List<Task> parameterGradients() {
    return List.of(
        new Task(
            Kernel.WEIGHT_GRADIENT,
            inputs() * outputs(),
            scalars(1),
            read(input.data()),
            read(output.diff()),
            written(weights.diff())),
        new Task(
            Kernel.BIAS_GRADIENT,
            outputs(),
            scalars(1),
            read(output.diff()),
            written(bias.diff())));
  }

  /** {@return the task for the gradient of the input, from the gradient of the output} */
  Task inputGradient() {
    return new Task(
        Kernel.INPUT_GRADIENT,
        rows() * inputs(),
        scalars(1),
        read(output.diff()),
        read(weights.data()),
        written(input.diff()));
  }

  /** {@return the tasks that move the parameters against their gradients} */
  List<Task> descent(float rate) {
    return List.of(descent(weights, inputs() * outputs(), rate), descent(bias, outputs(), rate));
  }

  private Task descent(Variable parameter, int count, float rate) {
    return new Task(
        Kernel.DESCENT, count, scalars(rate), read(parameter.diff()), written(parameter.data()));
  }
}
