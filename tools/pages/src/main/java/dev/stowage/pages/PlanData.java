package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.TensorUses;
import dev.stowage.plan.explain.LoadProfile;
import java.util.List;
import java.util.Optional;

/** The data of the page of a plan. */
final class PlanData {

  /*
   * Columns with an entry for each record:
   *
   *   {"ids": [], "names": [], "shapes": [], "bytes": [], "first": [], "last": [],
   *    "parts": {"record": [], "first": [], "last": [], "low": [], "high": []},
   *    "load": {"event": [], "max": []}, "naive": 0, "best": 0, "capacity": 0,
   *    "tasks": [], "taskNames": [],
   *    "producer": [], "consumers": [[]],
   *    "plans": [
   *      {"strategy": "", "total": 0, "bound": 0, "optimal": false, "offsets": []},
   *      {"strategy": "", "total": 0, "bound": 0, "optimal": false,
   *       "objects": {"ids": [], "bytes": []}}]}
   *
   * A plan has offsets, or the object of each record and the bytes of each object. Without operators, "tasks" is missing; if
   * no operator has a name, "taskNames". The producer -1 is an input of the model. Without a limit, "capacity" is missing.
   */

  private PlanData() {}

  static Columns of(PlanPicture picture) {
    Columns columns = new Columns();
    addLabels(picture, columns);
    List<TensorUsageRecord> records = picture.problem().records();
    List<Part> parts = Part.of(picture.problem());
    LoadProfile load = LoadProfile.of(picture.problem());
    columns
        .add("bytes", records, TensorUsageRecord::bytes)
        .add("first", records, TensorUsageRecord::firstTask)
        .add("last", records, TensorUsageRecord::lastTask)
        .add(
            "parts",
            new Columns()
                .add("record", parts, Part::record)
                .add("first", parts, Part::firstTask)
                .add("last", parts, Part::lastTask)
                .add("low", parts, Part::startByte)
                .add("high", parts, Part::endByte))
        .add(
            "load",
            new Columns()
                .add("event", load.stepCount(), load::firstTask)
                .add("max", load.stepCount(), load::bytes))
        .add("naive", picture.problem().naiveBytes())
        .add("best", picture.bestIndex())
        .add("plans", picture.plans().stream().map(PlanData::plan).map(Columns::values).toList());
    picture.capacityBytes().ifPresent(bytes -> columns.add("capacity", bytes));
    return columns;
  }

  private static void addLabels(PlanPicture picture, Columns columns) {
    List<RecordLabel> labels = picture.labels();
    columns
        .add("ids", labels.stream().map(RecordLabel::id).toList())
        .add("names", labels.stream().map(RecordLabel::name).toList())
        .add(
            "shapes",
            labels.stream()
                .map(label -> label.shape().map(TypedShape::toString).orElse(""))
                .toList());
    List<TaskLabel> tasks = picture.tasks();
    if (!tasks.isEmpty()) {
      columns.add("tasks", tasks.stream().map(task -> Printable.of(task.operator())).toList());
    }
    if (tasks.stream().anyMatch(task -> !task.name().isEmpty())) {
      columns.add("taskNames", tasks.stream().map(task -> Printable.of(task.name())).toList());
    }
    List<Optional<TensorUses>> uses =
        labels.stream().map(RecordLabel::uses).anyMatch(Optional::isPresent)
            ? labels.stream().map(RecordLabel::uses).toList()
            : List.of();
    columns
        .add("producer", uses, use -> use.map(known -> known.producer().orElse(-1)).orElse(-1))
        .add(
            "consumers",
            uses.stream().map(use -> use.map(TensorUses::consumers).orElse(List.of())).toList());
  }

  private static Columns plan(ShownPlan plan) {
    Columns columns =
        new Columns()
            .add("strategy", plan.strategy())
            .add("total", plan.totalBytes())
            .add("bound", plan.boundBytes())
            .add("optimal", plan.isOptimal());
    if (plan.objects().isPresent()) {
      ObjectsAssignment objects = plan.objects().get();
      columns.add(
          "objects",
          new Columns()
              .add("ids", objects.recordCount(), objects::objectId)
              .add("bytes", objects.objectCount(), objects::objectBytes));
    } else {
      columns.add("offsets", plan.drawn().recordCount(), plan.drawn()::offset);
    }
    return columns;
  }
}
