package dev.stowage.litert;

import dev.stowage.plan.*;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.TensorScope;
import dev.stowage.tflite.TfliteOptions;
import java.nio.file.*;
import java.util.*;

public final class Probe {
  public static void main(String[] args) {
    for (String f : args) {
      TfliteOptions base = TfliteOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS).withInPlace();
      String name = Path.of(f).getFileName().toString();
      try {
        LiteVerification v = LiteVerification.load(Path.of(f), base, 1, () -> false, _ -> {});
        for (int way = 0; way < 2; way++) {
          LiteVerification w = v;
          OffsetsAssignment plan;
          if (way == 1) {
            Optional<LiteVerification> in = v.ofPlanInFile();
            if (in.isEmpty()) continue;
            w = in.get(); plan = w.planInFile().orElseThrow();
          } else plan = MemoryStrategy.GREEDY_BY_SIZE.planOffsets(v.problem());
          LiteReport r = w.run(plan);
          System.out.println(name + (way == 1 ? " (plan in file)" : "") + " | records " + w.problem().records().size() + " unshared " + w.problem().naiveBytes() + " own " + r.engineArenaBytes() + " planned " + r.plannedBytes() + " | " + (r.isIdentical() ? "identical" : "DIFFERENT " + r.outputs()) + " opt " + r.outputs().stream().mapToDouble(o -> o.optimizedMaxAbsDifference()).max().orElse(0) + " " + r.notes());
        }
      } catch (Throwable t) { System.out.println(name + " | " + t); if (!(t instanceof MalformedFileException)) t.printStackTrace(System.out); }
    }
  }
}
