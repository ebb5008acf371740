package dev.stowage.examples.services;

import dev.stowage.budget.ServiceSample;
import java.util.Properties;

/**
 * A budget as the properties of a model in DJL Serving: the file {@code serving.properties}.
 *
 * <p>DJL Serving is not on Maven Central, so this class writes the name of the property.
 */
final class DjlSettings {

  private static final long MIB = 1 << 20;

  private DjlSettings() {}

  /** {@return the memory that DJL Serving checks before it loads the model, in MiB} */
  static Properties of(ServiceSample memory) {
    Properties properties = new Properties();
    properties.setProperty(
        "required_memory_mb", Long.toString(Math.ceilDiv(memory.highestBytes(), MIB)));
    return properties;
  }
}
