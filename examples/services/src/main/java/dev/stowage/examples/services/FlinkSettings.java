package dev.stowage.examples.services;

import dev.stowage.budget.ServiceSample;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/** A budget as the off-heap memory of the tasks of a Flink task manager. */
final class FlinkSettings {

  private static final long MIB = 1 << 20;

  private FlinkSettings() {}

  /** {@return the configuration of a task manager; its tasks share the sessions of a budget} */
  static Configuration of(ServiceSample memory) {
    Configuration configuration = new Configuration();
    // As a text: MemorySize has digits of the default locale, which Flink cannot read.
    configuration.setString(
        TaskManagerOptions.TASK_OFF_HEAP_MEMORY.key(),
        Math.ceilDiv(memory.highestBytes(), MIB) + " mb");
    return configuration;
  }
}
