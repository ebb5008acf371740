package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.input.TaskLabel;
import dev.stowage.cli.input.TensorView;
import dev.stowage.cli.input.TypedShape;
import dev.stowage.plan.TensorUses;
import java.util.Optional;

/** The labels of tasks and tensors for programs, where the input has them. */
final class Labels {

  private Labels() {}

  /** Adds the shape and the type of a tensor. */
  static void add(TypedShape shape, Answer answer) {
    answer.field("shape", dimensions(shape)).field("type", shape.elementType());
  }

  /** {@return the dimensions of a shape} */
  static Figure dimensions(TypedShape shape) {
    return Figure.longs(shape.dimensions().stream());
  }

  /** Adds the shape and the type of a tensor, the tasks that compute and read it, and its views. */
  static void add(RecordLabel label, Answer answer) {
    label.shape().ifPresent(shape -> add(shape, answer));
    label.uses().ifPresent(uses -> add(uses, answer));
    if (!label.views().isEmpty()) {
      answer.table(
          Table.named("views", label.views())
              .text("name", Table.HIDDEN, TensorView::name)
              .count("producer", Table.HIDDEN, TensorView::producer));
    }
  }

  private static void add(TensorUses uses, Answer answer) {
    uses.producer().ifPresent(task -> answer.field("producer", task));
    answer.field("consumers", Figure.longs(uses.consumers().stream()));
  }

  /** Adds the operator of each task, unless the file has no operators. */
  static void addTasks(InputFile file, Answer answer) {
    if (!file.tasks().isEmpty()) {
      answer.table(
          Table.named("tasks", file.tasks())
              .text("operator", Table.HIDDEN, TaskLabel::operator)
              .data(
                  "name",
                  task -> Figure.text(Optional.of(task.name()).filter(it -> !it.isEmpty()))));
    }
  }

  /** Adds the operator of a task, if the file has one. */
  static void addOperator(String name, long task, InputFile file, Answer answer) {
    if (0 <= task && task < file.tasks().size()) {
      answer.field(name, file.tasks().get((int) task).operator());
    }
  }
}
