package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.label.TensorView;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.TensorUses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/**
 * The operators and the layers of a model, and the tensors that share a record, in the data of a
 * page.
 */
final class TensorColumns {

  /*
   * Columns, each of which is missing if the input has none of its entries:
   *
   *   "tasks": [], "taskNames": []                     the kind and the name of the operator of each task
   *   "producer": [], "consumerStart": [0], "consumers": []   for each record; -1 is an input of the model
   *   "views": {"record": [], "producer": [], "names": []}    tensors that are views of a record
   *   "inPlace": {"record": [], "source": []}          records that may take over the bytes of others
   *   "layers": {}                                     as LayerColumn writes them
   *
   * The consumers of record i are those from consumerStart[i] to consumerStart[i + 1].
   */

  private final PlanPicture picture;
  private final JsonGenerator json;

  private TensorColumns(PlanPicture picture, JsonGenerator json) {
    this.picture = picture;
    this.json = json;
  }

  static void write(PlanPicture picture, JsonGenerator json) {
    TensorColumns columns = new TensorColumns(picture, json);
    columns.writeTasks();
    columns.writeUses();
    columns.writeViews();
    columns.writeInPlace();
    columns.writeLayers();
  }

  private void writeTasks() {
    List<TaskLabel> tasks = picture.tasks();
    if (!tasks.isEmpty()) {
      column("tasks", tasks.stream().map(TaskLabel::operator).toList());
    }
    if (tasks.stream().anyMatch(task -> !task.name().isEmpty())) {
      column("taskNames", tasks.stream().map(TaskLabel::name).toList());
    }
  }

  private void column(String name, List<String> texts) {
    ScriptJson.column(json, name, texts.stream().map(Printable::of).toList());
  }

  private void writeUses() {
    List<Optional<TensorUses>> uses = picture.labels().stream().map(RecordLabel::uses).toList();
    if (uses.stream().allMatch(Optional::isEmpty)) {
      return;
    }
    List<Integer> starts = new ArrayList<>();
    List<Integer> consumers = new ArrayList<>();
    for (Optional<TensorUses> use : uses) {
      starts.add(consumers.size());
      use.ifPresent(known -> consumers.addAll(known.consumers()));
    }
    starts.add(consumers.size());
    ScriptJson.column(
        json, "producer", uses, use -> use.map(known -> known.producer().orElse(-1)).orElse(-1));
    ScriptJson.column(json, "consumerStart", starts, Integer::longValue);
    ScriptJson.column(json, "consumers", consumers, Integer::longValue);
  }

  private void writeViews() {
    List<Integer> records = new ArrayList<>();
    List<TensorView> views = new ArrayList<>();
    for (int i = 0; i < picture.labels().size(); i++) {
      for (TensorView view : picture.labels().get(i).views()) {
        records.add(i);
        views.add(view);
      }
    }
    if (views.isEmpty()) {
      return;
    }
    json.writeObjectPropertyStart("views");
    ScriptJson.column(json, "record", records, Integer::longValue);
    ScriptJson.column(json, "producer", views, TensorView::producer);
    column("names", views.stream().map(TensorView::name).toList());
    json.writeEndObject();
  }

  private void writeInPlace() {
    List<InPlace> pairs = picture.problem().usableInPlace();
    if (pairs.isEmpty()) {
      return;
    }
    json.writeObjectPropertyStart("inPlace");
    ScriptJson.column(json, "record", pairs, InPlace::record);
    ScriptJson.column(json, "source", pairs, InPlace::source);
    json.writeEndObject();
  }

  private void writeLayers() {
    List<RecordLabel> labels = picture.labels();
    LayerColumn.write(
        labels.stream().map(label -> LayerName.of(label, picture.tasks())).toList(), json);
  }
}
