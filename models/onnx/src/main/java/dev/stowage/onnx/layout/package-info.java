/** Runs of a model at several shapes, in arenas of one layout for all shapes. */
package dev.stowage.onnx.layout;
