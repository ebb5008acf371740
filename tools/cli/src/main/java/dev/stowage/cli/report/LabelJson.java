package dev.stowage.cli.report;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.input.TaskLabel;
import dev.stowage.cli.input.TensorView;
import dev.stowage.cli.input.TypedShape;
import dev.stowage.plan.TensorUses;
import tools.jackson.core.JsonGenerator;

/** The labels of tasks and tensors in JSON, where the input has them. */
public final class LabelJson {

  private LabelJson() {}

  /**
   * Writes the shape and the type of a tensor as fields of an object.
   *
   * @param shape the shape
   * @param json the output
   */
  public static void write(TypedShape shape, JsonGenerator json) {
    json.writeArrayPropertyStart("shape");
    shape.dimensions().forEach(json::writeNumber);
    json.writeEndArray();
    json.writeStringProperty("type", shape.elementType());
  }

  /**
   * Writes the properties of the tensor of a record as fields of an object: its shape and type, the
   * tasks that compute and read it, and its views.
   *
   * @param label the label of the record
   * @param json the output
   */
  public static void write(RecordLabel label, JsonGenerator json) {
    label.shape().ifPresent(shape -> write(shape, json));
    label.uses().ifPresent(uses -> write(uses, json));
    if (label.views().isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart("views");
    for (TensorView view : label.views()) {
      json.writeStartObject();
      json.writeStringProperty("name", view.name());
      json.writeNumberProperty("producer", view.producer());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(TensorUses uses, JsonGenerator json) {
    uses.producer().ifPresent(task -> json.writeNumberProperty("producer", task));
    json.writeArrayPropertyStart("consumers");
    uses.consumers().forEach(json::writeNumber);
    json.writeEndArray();
  }

  /**
   * Writes the operator of each task as a field, unless the file has no operators.
   *
   * @param file the file
   * @param json the output
   */
  public static void writeTasks(InputFile file, JsonGenerator json) {
    if (file.tasks().isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart("tasks");
    for (TaskLabel task : file.tasks()) {
      json.writeStartObject();
      json.writeStringProperty("operator", task.operator());
      if (!task.name().isEmpty()) {
        json.writeStringProperty("name", task.name());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes the operator of a task. */
  static void writeOperator(String key, long task, InputFile file, JsonGenerator json) {
    if (0 <= task && task < file.tasks().size()) {
      json.writeStringProperty(key, file.tasks().get((int) task).operator());
    }
  }
}
