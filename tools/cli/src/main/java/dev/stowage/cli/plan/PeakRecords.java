package dev.stowage.cli.plan;

import dev.stowage.cli.gate.BaselineRecord;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.label.RecordLabel;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a problem as a baseline has them, and the records that are live at a peak.
 *
 * @param all the records, in the order of the problem
 * @param live the records that are live at one of the peaks
 */
public record PeakRecords(List<BaselineRecord> all, List<BaselineRecord> live) {

  /** More peaks add no tensors in practice, and take time in problems of many tasks. */
  private static final int MAX_PEAKS = 16;

  public static PeakRecords of(PlanProblem problem, List<RecordLabel> labels) {
    List<LoadPeak.TaskRange> peaks =
        LoadPeak.of(problem).tasks().stream().limit(MAX_PEAKS).toList();
    List<BaselineRecord> all = new ArrayList<>();
    List<BaselineRecord> live = new ArrayList<>();
    for (TensorUsageRecord record : problem.records()) {
      String name = labels.get(all.size()).name();
      all.add(new BaselineRecord(name, record.bytes(), record.firstTask(), record.lastTask()));
      if (peaks.stream().anyMatch(peak -> record.bytesNeededAt(peak.firstTask()) > 0)) {
        live.add(all.getLast());
      }
    }
    return new PeakRecords(all, live);
  }

  /** {@return the textures; their peaks are not known} */
  static PeakRecords of(PlanInput.Textures textures) {
    List<BaselineRecord> all = new ArrayList<>();
    for (TextureUsageRecord record : textures.records()) {
      String name = textures.labels().get(all.size()).name();
      all.add(
          new BaselineRecord(
              name, record.extent().volume(), record.firstTask(), record.lastTask()));
    }
    return new PeakRecords(all, List.of());
  }
}
