package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.label.TensorView;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.TensorUses;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The labels of tasks and tensors for programs, where the input has them. */
final class Labels {

  private Labels() {}

  /** {@return a file with its contents, such as {@code model.tflite: 65 tensors over 64 tasks}} */
  static String contents(InputFile file, long count, String thing) {
    return Printable.of(file.path()) + ": " + counts(file, count, thing);
  }

  /** {@return the contents of a file, such as {@code 65 tensors over 64 tasks}} */
  static String counts(InputFile file, long count, String thing) {
    return Numbers.count(count, thing) + " over " + Numbers.count(file.operatorCount(), "task");
  }

  /** Adds the path, the format and the number of operators of a file. */
  static Answer addFile(InputFile file, Answer answer) {
    return answer
        .field("input", file.path())
        .field("format", file.format())
        .field("operators", file.operatorCount());
  }

  static Figure dimensions(TypedShape shape) {
    return Figure.longs(shape.dimensions().stream());
  }

  /**
   * Adds columns for the shapes and the types of tensors, the tasks that compute and read them, and
   * their views.
   */
  static <T> Table<T> add(Table<T> table, Function<T, RecordLabel> label) {
    return table
        .data("shape", row -> Figure.of(label.apply(row).shape(), Labels::dimensions))
        .data(
            "type", row -> Figure.of(label.apply(row).shape(), it -> Figure.text(it.elementType())))
        .data("producer", row -> Figure.of(label.apply(row).uses(), Labels::producer))
        .data(
            "consumers",
            row -> Figure.of(label.apply(row).uses(), it -> Figure.longs(it.consumers().stream())))
        .data("views", row -> views(label.apply(row).views()));
  }

  private static Figure producer(TensorUses uses) {
    return uses.producer().isPresent() ? Figure.count(uses.producer().getAsInt()) : Figure.none();
  }

  private static Figure views(List<TensorView> views) {
    return views.isEmpty()
        ? Figure.none()
        : Figure.sequence(
            views,
            view ->
                Figure.group(
                    group -> group.field("name", view.name()).field("producer", view.producer())));
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
