package dev.stowage.onnx.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfiledModelTest {

  @TempDir Path folder;

  static Map<String, Long> dims(Path model) throws Exception {
    var graph = dev.stowage.onnx.graph.GraphAssembly.assemble("m", EngineOptimization.parse(model));
    Map<String, Long> m = new java.util.HashMap<>();
    for (String d : dev.stowage.onnx.graph.FixedDimensions.openIn(graph)) m.put(d, 2L);
    if (model.toString().contains("silero")) m.putAll(Map.of("input[0]",1L,"input[1]",256L,"state[1]",1L));
    return m;
  }

  @Test
  void tryAll() throws Exception {
    try (var files = Files.list(Path.of(System.getProperty("try.models")))) {
      for (Path model : files.filter(f -> f.toString().endsWith(".onnx")).sorted().toList()) {
        for (int level = Integer.getInteger("try.level", 0); level < 4; level++) {
          try {
            Path profile = RecordedProfile.of(model, folder, level, List.of(dims(model)));
            ProfiledModel profiled = ProfiledModel.of(model, RecordedProfile.read(profile), dev.stowage.onnx.profile.NodeStatistics.none());
            System.err.printf("%s %d found %d of %d dims %s limits %s%n", model.getFileName(), level, profiled.foundCount(), profiled.operatorCount(), profiled.dimensions(), profiled.profile().arena());
          } catch (Exception e) {
            System.err.printf("%s %d %s%n", model.getFileName(), level, e.toString().lines().findFirst().get());
          }
        }
      }
    }
  }
}
