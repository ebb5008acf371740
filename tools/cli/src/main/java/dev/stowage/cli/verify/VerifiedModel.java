package dev.stowage.cli.verify;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A model that an engine can run in planned memory. */
interface VerifiedModel {

  /** {@return the format of the file, such as {@code onnx}} */
  String format();

  /** {@return the problem to plan} */
  PlanProblem problem();

  /** {@return the number of operators} */
  int operatorCount();

  /** {@return sentences for the user} */
  List<String> notes();

  /** {@return the plan in the file, if it is the one to verify} */
  Optional<OffsetsAssignment> planInFile();

  /**
   * {@return the model for a search over the orders of its operators}
   *
   * @throws IOException if the file cannot be read
   */
  OrderedModel orders() throws IOException;

  /**
   * {@return the same model in another order}
   *
   * @param operators the operators by their indices in {@link #orders}
   * @throws IOException if the file cannot be read
   */
  VerifiedModel inOrder(List<Integer> operators) throws IOException;

  /**
   * {@return a run in an arena with the offsets of a plan}
   *
   * @throws IOException if the engine rejects the model, or if a file cannot be read
   */
  VerifiedRun run(OffsetsAssignment plan) throws IOException;
}
