/**
 * Budgets of native memory: predictions for models, and measurements in processes of their own.
 *
 * <p>{@link BudgetRunner} evaluates a {@link PlannedBudget}, which {@link EngineBudget} reads from
 * an {@code .onnx} file and {@link MicroBudget} from a {@code .tflite} file. {@link RefinedAxes}
 * adds shapes to a range where tensors are larger than between the other shapes. A {@link
 * ServiceMeasurement} starts a {@link ServiceProcess}, another Java process that runs the model and
 * prints its own memory after each step. For a baseline, {@link BudgetFigures} has the figures of a
 * report, and {@link BudgetTensors} the tensors and weights that explain their growth.
 */
package dev.stowage.cli.budget;
