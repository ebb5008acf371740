/**
 * Problems whose sizes are expressions of dimensions, and layouts that are valid for all shapes.
 */
package dev.stowage.plan.shapes;
