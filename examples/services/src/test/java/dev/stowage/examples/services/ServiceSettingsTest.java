package dev.stowage.examples.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.Test;

class ServiceSettingsTest {

  private static final ModelBudget BUDGET =
      ModelBudget.parse(
          """
          stowage-budget\t2
          model\tm.onnx
          service\t1\t1\t3145728\t11145728\tbatch\t8
          service\t2\t1\t3145728\t19145728\tbatch\t8
          end
          """);

  private static final DimensionValues SHAPE = DimensionValues.of("batch", 8);

  @Test
  void flink_budget_isTheOffHeapMemoryOfTasks() {
    assertThat(FlinkSettings.of(BUDGET.at(SHAPE, 2, 1)).toMap())
        .isEqualTo(Map.of("taskmanager.memory.task.off-heap.size", "19 mb"));
  }

  @Test
  void flink_defaultLocaleWithDigitsOfItsOwn_isASizeThatFlinkReads() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(
              FlinkSettings.of(BUDGET.at(SHAPE, 2, 1))
                  .get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY)
                  .getMebiBytes())
          .isEqualTo(19);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void djl_budget_isTheRequiredMemory() {
    assertThat(DjlSettings.of(BUDGET.at(SHAPE, 2, 1)))
        .isEqualTo(Map.of("required_memory_mb", "19"));
  }

  @Test
  void elasticsearch_budget_hasBytesOfDeploymentAndAllocation() {
    assertThat(ElasticsearchSettings.of(BUDGET, SHAPE, 2, 1))
        .isEqualTo(
            "{\"metadata\": {\"per_deployment_memory_bytes\": 3145728, \"per_allocation_memory_bytes\": 8000000}}");
  }

  @Test
  void elasticsearch_oneSession_isAnAllocation() {
    assertThat(ElasticsearchSettings.of(BUDGET, SHAPE, 1, 1))
        .isEqualTo(
            "{\"metadata\": {\"per_deployment_memory_bytes\": 0, \"per_allocation_memory_bytes\": 11145728}}");
  }
}
