package dev.stowage.onnx.profile;

/** The receiver of the events of a profile, in the order of the file. */
public interface ProfileListener {

  /**
   * Receives an operator that ended.
   *
   * @param event the operator
   * @param time the time of its execution
   */
  void operator(ProfiledOperator event, EventTime time);

  /**
   * Receives a run that ended.
   *
   * @param time the time of the run
   */
  default void run(EventTime time) {}
}
