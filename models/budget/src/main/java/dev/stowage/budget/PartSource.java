package dev.stowage.budget;

import java.util.Locale;

/** The origin of the bytes of a part of a budget. */
public enum PartSource {
  /** Follows from the model and from rules of the engine. */
  COMPUTED,
  /** Follows from constants that were measured with other models. */
  CALIBRATED,
  /** Was measured with the model and its options. */
  MEASURED;

  /** {@return the name in files and reports} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
