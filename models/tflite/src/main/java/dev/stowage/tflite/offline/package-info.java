/**
 * Offline plans for TensorFlow Lite Micro in the files of models.
 *
 * <p>{@link OfflinePlanWriter} writes a plan into a copy: into the place of the old one, or in
 * front of the old file ({@link ModelFront}), so that all offsets of the flatbuffer still point
 * forward.
 */
package dev.stowage.tflite.offline;
